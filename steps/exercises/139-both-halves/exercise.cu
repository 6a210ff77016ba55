#define TILE 256 // elements of a tile, threads of a block
#define BLOCKS 2 // of a cluster
#define PART (TILE / BLOCKS) // elements that a block has copied

// In steps/exercises. A phase of its barriers (`mbarrier`) ends when all arrivals have come, and all announced bytes:
// begin(barrier, arrivals), announce(barrier, bytes) which arrives as well, and wait(barrier, parity).
// copy_to_blocks(to, from, bytes, barrier, blocks) begins a copy to the same place in each block of which a bit is set.
// Its bytes come to the barrier of each.
#include "copies.cuh"

// Waits for all threads of the cluster. What they have written before is seen after it.
__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

// Each block multiplies its row by the weights.
extern "C" __global__ void weigh(int tiles, const float *weights, const float *in, float *out)
{
    __shared__ __align__(16) float tile[TILE];
    __shared__ Barrier full;
    const int rank = blockIdx.x % BLOCKS;
    if (threadIdx.x == 0) {
        begin(&full, 1);
    }
    meet(); // the first phases have begun in both blocks
    for (int round = 0; round < tiles; round++) {
        const int first = round * TILE;
        if (threadIdx.x == 0) {
            announce(&full, PART * sizeof(float));
            copy_to_blocks(tile + rank * PART, weights + first + rank * PART, PART * sizeof(float), &full, 3);
        }
        wait(&full, round % 2);
        const int i = blockIdx.x * tiles * TILE + first + threadIdx.x;
        out[i] = tile[threadIdx.x] * in[i];
        meet(); // both blocks have read their tiles
    }
}
