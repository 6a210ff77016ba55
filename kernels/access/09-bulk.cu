// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one thread has 2 KB copied to shared memory by the copy engine (TMA), and from there to their place.
// Why:     no lane asks for anything: two instructions copy what took four warps a load and a store each.
// Expect:  the same bandwidth of the memory, with hardly an instruction and no register for the data.

#include "bulk.cuh"

#define THREADS 32 // of a block
#define TILE 512 // elements of a block

extern "C" __global__ void __launch_bounds__(THREADS) copy(unsigned int n, const float* in, float* out)
{
    __shared__ __align__(128) float tile[TILE];
    __shared__ Barrier full;
    const unsigned int first = blockIdx.x * TILE, elements = min(TILE, n - first);
    const unsigned int whole = elements / 4 * 4; // the engine copies pieces of 16 bytes
    if (threadIdx.x == 0 && whole > 0) {
        begin(&full, 1);
        announce(&full, whole * sizeof(float));
        load(tile, in + first, whole * sizeof(float), &full);
        wait(&full, 0);
        store(out + first, tile, whole * sizeof(float));
        wait_for_stores(); // the tile ends with the block
    }
    if (threadIdx.x < elements - whole) {
        out[first + whole + threadIdx.x] = in[first + whole + threadIdx.x];
    }
}
