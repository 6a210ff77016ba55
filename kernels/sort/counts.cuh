// SPDX-License-Identifier: MIT OR Apache-2.0
// How often each digit occurs in each tile, and where a digit's keys of a tile begin in the output (steps 01 to 04).

// Counts the digits of a tile. A digit has its counts in a row.
extern "C" __global__ void count(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* counts)
{
    __shared__ unsigned int of_block[DIGITS];
    const unsigned int d = threadIdx.x; // the first threads have a digit
    if (d < DIGITS) {
        of_block[d] = 0;
    }
    __syncthreads(); // the counts are zero
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
        if (i < n) {
            atomicAdd(&of_block[digit_of(in[i], shift)], 1u);
        }
    }
    __syncthreads(); // the block has counted
    if (d < DIGITS) {
        counts[d * gridDim.x + blockIdx.x] = of_block[d];
    }
}

// Scans the counts of one digit in place.
extern "C" __global__ void scan(unsigned int tiles, unsigned int* counts, unsigned int* totals)
{
    unsigned int* const of_digit = counts + blockIdx.x * tiles;
    unsigned int before = 0, all;
    for (unsigned int first = 0; first < tiles; first += THREADS) {
        const unsigned int tile = first + threadIdx.x;
        const unsigned int in_part = scan_block(tile < tiles ? of_digit[tile] : 0, all);
        if (tile < tiles) {
            of_digit[tile] = before + in_part;
        }
        before += all;
    }
    if (threadIdx.x == 0) {
        totals[blockIdx.x] = before;
    }
}

// For the first threads, one for each digit: where the digit's keys of this tile begin in the output.
__device__ unsigned int start_of(const unsigned int* counts, const unsigned int* totals)
{
    const unsigned int d = threadIdx.x;
    unsigned int all;
    const unsigned int smaller = scan_block(d < DIGITS ? totals[d] : 0, all);
    return d < DIGITS ? smaller + counts[d * gridDim.x + blockIdx.x] : 0;
}
