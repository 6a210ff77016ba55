#define TILE 256 // elements of a tile, threads of a block

// In steps/exercises. A phase of its barriers (`mbarrier`) ends when all arrivals have come, and all announced bytes:
// begin(barrier, arrivals), announce(barrier, bytes) which arrives as well, and wait(barrier, parity).
// copy(to, from, bytes, barrier) begins a copy from global to shared memory, whose bytes come to the barrier.
#include "copies.cuh"

// c = a + b, tile after tile. The grid has fewer blocks than there are tiles.
extern "C" __global__ void add(int tiles, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) float tile_a[TILE], tile_b[TILE];
    __shared__ Barrier both;
    if (threadIdx.x == 0) {
        begin(&both, 1);
    }
    __syncthreads(); // the first phase has begun
    for (int tile = blockIdx.x, round = 0; tile < tiles; tile += gridDim.x, round++) {
        const int first = tile * TILE;
        if (threadIdx.x == 0) {
            announce(&both, 2 * TILE);
            copy(tile_a, a + first, sizeof(tile_a), &both);
            copy(tile_b, b + first, sizeof(tile_b), &both);
        }
        wait(&both, round % 2);
        c[first + threadIdx.x] = tile_a[threadIdx.x] + tile_b[threadIdx.x];
        __syncthreads(); // all have read both tiles
    }
}
