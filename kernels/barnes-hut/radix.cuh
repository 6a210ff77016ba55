// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernel `sort`: a pass of a radix sort. Places of bodies follow the digit of the pass; equal digits keep their order.
// One launch a pass: each tile publishes how often it has each digit, and looks back over the tiles before it.

typedef unsigned long long Key;

#define LEVELS 16 // digits of a key, to base 8: halvings of space
#define PASSES ((3 * LEVELS + 7) / 8)
#define DIGITS 256 // of a pass, and threads of a block
#define SORT_WARPS (DIGITS / WARP)
#define ITEMS 16 // keys of a thread
#define SORT_TILE (DIGITS * ITEMS)

// The counters: how often each digit of each pass occurs; the next tile of each pass; what each tile of each pass knows.
#define TICKETS (PASSES * DIGITS)
#define GROUPS (TICKETS + PASSES) // how many groups of bodies there are, and how many of them warps have taken: for later kernels
#define STATES (TICKETS + DIGITS)

#define OWN (1u << 30) // above a count: it is the tile's own
#define UP_TO (2u << 30) // above a count: it is that of all tiles up to this one
#define COUNT (OWN - 1)

__device__ __forceinline__ int digit_of(Key key, int pass)
{
    return (int)(key >> (8 * pass)) & (DIGITS - 1);
}

// Lanes with the same digit as this one, among `lanes`.
__device__ __forceinline__ unsigned int same_digit(int digit, unsigned int lanes)
{
#pragma unroll
    for (int bit = 0; bit < 8; bit++) {
        const bool set = digit >> bit & 1;
        const unsigned int others = __ballot_sync(ALL, set);
        lanes &= set ? others : ~others;
    }
    return lanes;
}

// How often the tiles before `tile` have this thread's digit, of which the tile has `own`.
__device__ __forceinline__ unsigned int look_back(int tile, unsigned int own, volatile unsigned int *state)
{
    state[tile * DIGITS + threadIdx.x] = own | (tile == 0 ? UP_TO : OWN);
    unsigned int sum = 0;
    for (int other = tile - 1; other >= 0; other--) {
        unsigned int seen;
        do {
            seen = state[other * DIGITS + threadIdx.x];
        } while (seen < OWN); // that tile was begun before this one, and waits for none after it
        sum += seen & COUNT;
        if (seen >= UP_TO) {
            break;
        }
    }
    if (tile > 0) {
        state[tile * DIGITS + threadIdx.x] = (sum + own) | UP_TO;
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(DIGITS) sort(int n, int pass, const Key *key, const int *place, Key *key_out, int *place_out,
    unsigned int *counter)
{
    __shared__ Key sorted[SORT_TILE]; // of the tile
    __shared__ int number[SORT_WARPS][DIGITS]; // of each digit in a warp; then where the warp's first goes in the tile
    __shared__ int shift[DIGITS]; // from a place in the sorted tile to one in the output
    __shared__ unsigned int ticket;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(&counter[TICKETS + pass], 1);
    }
    for (int w = 0; w < SORT_WARPS; w++) {
        number[w][threadIdx.x] = 0;
    }
    __syncthreads(); // the ticket is known
    if (ticket >= gridDim.x) {
        return; // the pass has been launched before, and done
    }
    const int tile = (int)ticket, first = tile * SORT_TILE + warp * WARP * ITEMS + lane;
    const int size = min(SORT_TILE, n - tile * SORT_TILE);
    Key own[ITEMS];
    int at[ITEMS];
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        own[item] = first + item * WARP < n ? key[first + item * WARP] : ~0ull; // what fills up the last tile comes last
    }
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const int digit = digit_of(own[item], pass);
        const unsigned int same = same_digit(digit, ALL);
        const int earlier = number[warp][digit];
        __syncwarp(); // all have read it
        if ((same & ((1u << lane) - 1)) == 0) {
            number[warp][digit] = earlier + __popc(same);
        }
        __syncwarp(); // it is written
        at[item] = earlier + __popc(same & ((1u << lane) - 1));
    }
    __syncthreads(); // all warps have counted
    int all = 0, total;
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++) {
        const int its = number[w][threadIdx.x];
        number[w][threadIdx.x] = all;
        all += its;
    }
    const int in_tile = before_in_block<SORT_WARPS>(all, &total);
    const int smaller = before_in_block<SORT_WARPS>((int)counter[pass * DIGITS + threadIdx.x], &total);
    // What fills up the last tile is counted among the last digit; no tile comes after it.
    const int earlier = (int)look_back(tile, all, counter + STATES + (size_t)pass * gridDim.x * DIGITS);
    shift[threadIdx.x] = smaller + earlier - in_tile;
#pragma unroll
    for (int w = 0; w < SORT_WARPS; w++) {
        number[w][threadIdx.x] += in_tile;
    }
    __syncthreads(); // places are known
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        at[item] += number[warp][digit_of(own[item], pass)];
        sorted[at[item]] = own[item];
    }
    __syncthreads(); // the keys of the tile are sorted
    int to[ITEMS];
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const int from = threadIdx.x + item * DIGITS;
        const Key k = sorted[from];
        to[item] = from + shift[digit_of(k, pass)];
        if (from < size) {
            key_out[to[item]] = k;
        }
    }
    __syncthreads(); // they are written
    int *bodies = (int *)sorted;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        bodies[at[item]] = first + item * WARP < n ? place[first + item * WARP] : 0;
    }
    __syncthreads(); // the bodies of the tile are sorted
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const int from = threadIdx.x + item * DIGITS;
        if (from < size) {
            place_out[to[item]] = bodies[from];
        }
    }
}
