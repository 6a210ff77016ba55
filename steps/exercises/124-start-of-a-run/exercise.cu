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

extern "C" __global__ void scatter(unsigned int n, unsigned int shift, const unsigned int* in, unsigned int* out,
    const unsigned int* counts, const unsigned int* totals)
{
    __shared__ unsigned int of_warp[WARPS][DIGITS], start[DIGITS], in_tile[DIGITS], sorted[TILE];
    const unsigned int warp = threadIdx.x / 32;
    unsigned int key[KEYS], rank[KEYS], all;
    load_keys(n, in, blockIdx.x, key);
    rank_keys(key, shift, rank, of_warp[warp]);
    const unsigned int own = start_of(counts, totals); // and barriers, after which all warps have counted
    in_tile[threadIdx.x] = scan_block(scan_warps(of_warp), all);
    start[threadIdx.x] = own; // TODO: sorted[i] is the key of its digit with rank i only if the digit is the first
    __syncthreads(); // the starts are there
#pragma unroll
    for (unsigned int k = 0; k < KEYS; k++) {
        const unsigned int d = digit_of(key[k], shift);
        sorted[in_tile[d] + of_warp[warp][d] + rank[k]] = key[k];
    }
    __syncthreads(); // the tile is sorted
    for (unsigned int i = threadIdx.x; i < TILE && blockIdx.x * TILE + i < n; i += THREADS) {
        out[start[digit_of(sorted[i], shift)] + i] = sorted[i];
    }
}
