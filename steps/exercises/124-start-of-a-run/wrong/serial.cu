// says: work is badly divided
// A thread does the work of its block.

#define DIGITS 256
#define THREADS 256 // of a block
#define WARPS (THREADS / 32)
#define KEYS 16 // of a thread
#define TILE (THREADS * KEYS)

__device__ unsigned int digit_of(unsigned int key, unsigned int shift)
{
    return key >> shift & (DIGITS - 1);
}

__device__ unsigned int scan_warp(unsigned int own)
{
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += threadIdx.x % 32 >= step ? before : 0;
    }
    return own;
}

// The sum of what the threads before this one have, and of what all have.
__device__ unsigned int scan_block(unsigned int own, unsigned int& all)
{
    __shared__ unsigned int sum[WARPS];
    const unsigned int warp = threadIdx.x / 32;
    const unsigned int up_to = scan_warp(own);
    if (threadIdx.x % 32 == 31) {
        sum[warp] = up_to;
    }
    __syncthreads(); // each warp's sum is there
    unsigned int before = 0;
    all = 0;
    for (unsigned int w = 0; w < WARPS; w++) {
        before += w < warp ? sum[w] : 0;
        all += sum[w];
    }
    __syncthreads(); // all have read the sums
    return before + up_to - own;
}

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

// The lanes of the warp that have this digit.
__device__ unsigned int lanes_with(unsigned int digit)
{
    unsigned int same = 0xffffffff;
#pragma unroll
    for (unsigned int bit = 1; bit < DIGITS; bit *= 2) {
        const unsigned int set = __ballot_sync(0xffffffff, digit & bit);
        same &= digit & bit ? set : ~set;
    }
    return same;
}

// Keys of a warp in registers, and how many equal digits are before each (since step 03).
// A step has `lanes_with`, which finds the lanes with the same digit.

extern "C" __global__ void scatter(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* out,
    const unsigned int* counts, const unsigned int* totals)
{
    __shared__ unsigned int start[DIGITS];
    start[threadIdx.x] = start_of(counts, totals);
    __syncthreads();
    if (threadIdx.x > 0) {
        return;
    }
    for (unsigned int i = blockIdx.x * TILE; i < (blockIdx.x + 1) * TILE && i < n; i++) {
        out[start[digit_of(in[i], shift)]++] = in[i];
    }
}
