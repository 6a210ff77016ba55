// SPDX-License-Identifier: MIT OR Apache-2.0
// Keys of a warp in registers, and how many equal digits are before each (since step 03).
// A step has `lanes_with`, which finds the lanes with the same digit.

// Row k of a warp's keys; after the end there are keys that come last.
__device__ void load_keys(unsigned int n, const unsigned int* in, unsigned int tile, unsigned int key[KEYS])
{
    const unsigned int first = tile * TILE + threadIdx.x / 32 * (32 * KEYS) + threadIdx.x % 32;
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int i = first + 32 * k;
        key[k] = i < n ? in[i] : 0xffffffff;
    }
}

// Clears the warp's counts.
__device__ void clear_counts(unsigned int of_warp[DIGITS])
{
    for (unsigned int d = threadIdx.x % 32; d < DIGITS; d += 32) {
        of_warp[d] = 0;
    }
    __syncwarp(); // the counts are zero
}

// How many keys with the same digit are before a lane's key in its warp, of a row whose digits these are.
__device__ unsigned int rank_row(unsigned int digit, unsigned int of_warp[DIGITS])
{
    const unsigned int same = lanes_with(digit), below = (1u << threadIdx.x % 32) - 1;
    const unsigned int before = of_warp[digit];
    __syncwarp(); // all have read
    if ((same & below) == 0) { // the first of them
        of_warp[digit] = before + __popc(same);
    }
    __syncwarp(); // the counts are those after the row
    return before + __popc(same & below);
}

// The same for all rows of a warp.
__device__ void rank_keys(
    const unsigned int key[KEYS], unsigned int shift, unsigned int rank[KEYS], unsigned int of_warp[DIGITS])
{
    clear_counts(of_warp);
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        rank[k] = rank_row(digit_of(key[k], shift), of_warp);
    }
}

// For the first threads, one for each digit: the digit's count in the tile. A warp's count becomes the sum of those before it.
__device__ unsigned int scan_warps(unsigned int of_warp[WARPS][DIGITS])
{
    unsigned int sum = 0;
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (unsigned int w = 0; w < WARPS; w++) {
            const unsigned int count = of_warp[w][threadIdx.x];
            of_warp[w][threadIdx.x] = sum;
            sum += count;
        }
    }
    return sum;
}
