#define TILE 256 // elements of a tile, threads of a block
#define BLOCKS 2 // of a cluster
#define PART (TILE / BLOCKS) // elements that a block has copied

// In steps/exercises. A phase of its barriers (`mbarrier`) ends when all arrivals have come, and all announced bytes:
// begin(barrier, arrivals), announce(barrier, bytes) which arrives as well, and wait(barrier, parity).
#include "copies.cuh"

// Waits for all threads of the cluster. What they have written before is seen after it.
__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

// Begins to copy bytes from global memory to the same place in the shared memory of both blocks. They arrive at the
// barrier of each.
__device__ void copy_to_both(void *to, const void *from, int bytes, Barrier *barrier)
{
    const unsigned short both = (1 << BLOCKS) - 1;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], %2, [%3], %4;"
                 ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(barrier)), "h"(both) : "memory");
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
            copy_to_both(tile + rank * PART, weights + first + rank * PART, PART * sizeof(float), &full);
        }
        wait(&full, round % 2);
        const int i = blockIdx.x * tiles * TILE + first + threadIdx.x;
        out[i] = tile[threadIdx.x] * in[i];
        meet(); // both blocks have read their tiles
    }
}
