// SPDX-License-Identifier: MIT OR Apache-2.0
// A sort by one sweep for each digit: the counts of all digits, and what is before a tile (since step 05).

#define PASSES 4 // digits of a key

// How often each digit occurs at each place of the keys.
extern "C" __global__ void histogram(unsigned int n, const unsigned int* in, unsigned int* totals)
{
    __shared__ unsigned int of_block[PASSES][DIGITS];
    for (unsigned int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS) {
        of_block[0][i] = 0;
    }
    __syncthreads(); // the counts are zero
    for (unsigned int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        const unsigned int key = in[i];
        for (unsigned int pass = 0; pass < PASSES; pass++) {
            atomicAdd(&of_block[pass][digit_of(key, 8 * pass)], 1u);
        }
    }
    __syncthreads(); // the block has counted
    for (unsigned int i = threadIdx.x; i < PASSES * DIGITS; i += THREADS) {
        atomicAdd(&totals[i], of_block[0][i]);
    }
}

#define OWN (1u << 30) // added to a count: it is the tile's own
#define ALL (1u << 31) // added to a place: the digit's keys of the next tile begin there
#define COUNT (OWN - 1)

// All tiles before this one are in work or done, in whatever order blocks begin.
__device__ unsigned int next_tile(unsigned int* ticket)
{
    __shared__ unsigned int tile;
    if (threadIdx.x == 0) {
        tile = atomicAdd(ticket, 1);
    }
    __syncthreads(); // the tile is known
    return tile;
}

#define LOOK 4 // tiles whose counts a thread reads at a time

// Where this digit's keys of a tile begin in the output, from the tiles before it.
__device__ unsigned int look_back(unsigned int tile, unsigned int digit, volatile unsigned int* state)
{
    unsigned int sum = 0, seen[LOOK];
    for (int other = (int)tile - 1;; other -= LOOK) {
#pragma unroll
        for (int l = 0; l < LOOK; l++) {
            seen[l] = other >= l ? state[(other - l) * DIGITS + digit] : 0;
        }
#pragma unroll
        for (int l = 0; l < LOOK; l++) {
            while (seen[l] < OWN) {
                seen[l] = state[(other - l) * DIGITS + digit]; // count and flag are one word: no fence
            }
            sum += seen[l] & COUNT;
            if (seen[l] >= ALL) {
                return sum;
            }
        }
    }
}
