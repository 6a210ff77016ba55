// SPDX-License-Identifier: MIT OR Apache-2.0
// Shared arrays that are overrun into their neighbours, in the lines that are marked with //!, and used as they may be.

extern "C" __global__ void one_too_far(int *out, const int *in, int n) // n = 1: the last reads the other array
{
    __shared__ int first[64], second[64];
    const int tid = threadIdx.x;
    first[tid] = in[tid];
    second[tid] = in[tid];
    __syncthreads();
    const int a = first[tid + n]; //!
    const int b = second[tid ^ 1];
    out[tid] = a + b;
}

extern "C" __global__ void one_too_early(int *out, const int *in, int n)
{
    __shared__ int first[64], second[64];
    const int tid = threadIdx.x;
    first[tid] = in[tid];
    second[tid] = in[tid];
    __syncthreads();
    const int a = first[tid ^ 1];
    const int b = second[tid - n]; //!
    out[tid] = a + b;
}

extern "C" __global__ void into_a_sum(int *out, const int *in, int n) // a store after the end
{
    __shared__ int tile[64], sum[1];
    const int tid = threadIdx.x;
    sum[0] = 0;
    tile[tid] = 0;
    __syncthreads();
    tile[tid + n] = in[tid]; //!
    __syncthreads();
    atomicAdd(&sum[0], tile[tid] & 7);
    __syncthreads();
    out[tid] = sum[0];
}

extern "C" __global__ void up_to_and_with(int *out, const int *in, int n) // n = 64: `<=` in place of `<`
{
    __shared__ int tile[64], other[64];
    const int tid = threadIdx.x;
    tile[tid] = in[tid];
    other[tid] = in[64 + tid];
    __syncthreads();
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k <= n; k++)
        sum += tile[k]; //!
    out[tid] = sum + other[63 - tid];
}

extern "C" __global__ void four_at_once(int *out, const int *in, int n) // the last read begins inside and ends outside
{
    __shared__ alignas(16) int tile[66];
    __shared__ int other[64];
    const int tid = threadIdx.x;
    tile[tid] = in[tid];
    if (tid < 2)
        tile[64 + tid] = 0;
    other[tid] = in[64 + tid];
    __syncthreads();
    int sum = other[63 - tid];
    if (tid < n) {
        const int4 four = ((const int4 *)tile)[tid]; //!
        sum += four.x + four.y + four.z + four.w;
    }
    out[tid] = sum;
}

extern "C" __global__ void counts_of_others(int *out, const int *in, int n) // an atomic after the end
{
    __shared__ int counts[32], words[64];
    const int tid = threadIdx.x;
    words[tid] = 0;
    if (tid < 32)
        counts[tid] = 0;
    __syncthreads();
    atomicAdd(&counts[in[tid] & 63], 1); //!
    __syncthreads();
    out[tid] = words[tid];
    if (tid < 32)
        out[tid] += counts[tid];
}

extern "C" __global__ void into_the_dynamic(int *out, const int *in, int n) // what the launch adds is no part of it
{
    __shared__ int tile[64];
    extern __shared__ int rest[];
    const int tid = threadIdx.x;
    rest[tid] = in[tid];
    tile[tid] = in[tid];
    __syncthreads();
    out[tid] = tile[tid + n] + rest[63 - tid]; //!
}

extern "C" __global__ void clean_swap(int *out, const int *in, int n) // two arrays take turns
{
    __shared__ int one[64], other[64];
    const int tid = threadIdx.x;
    int *from = one, *to = other;
    from[tid] = in[tid];
    for (int by = 1; by < n; by *= 2) {
        __syncthreads();
        to[tid] = tid >= by ? from[tid] + from[tid - by] : from[tid];
        int *const swap = from;
        from = to;
        to = swap;
    }
    __syncthreads();
    out[tid] = from[63 - tid];
}

extern "C" __global__ void clean_choice(int *out, const int *in, int n) // either array, for each thread
{
    __shared__ int even[64], odd[64];
    const int tid = threadIdx.x;
    int *const own = (in[tid] & 1) ? odd : even;
    even[tid] = 1;
    odd[tid] = 2;
    own[tid] += 1;
    __syncthreads();
    out[tid] = even[63 - tid] + odd[tid ^ 1];
}

extern "C" __global__ void clean_parts(int *out, const int *in, int n) // one dynamic array, cut into three
{
    extern __shared__ int words[];
    const int tid = threadIdx.x;
    int *const keys = words, *const places = keys + 64;
    short *const counts = (short *)(places + 64);
    keys[tid] = in[tid];
    places[tid] = tid;
    counts[tid] = (short)n;
    __syncthreads();
    out[tid] = keys[63 - tid] + places[tid ^ 1] + counts[tid ^ 32];
}

extern "C" __global__ void clean_border(int *out, const int *in, int n) // indices from -1, with a border
{
    __shared__ int before[64], line[66], after[64];
    const int tid = threadIdx.x;
    int *const inner = line + 1;
    before[tid] = after[tid] = 7;
    inner[tid] = in[tid];
    if (tid == 0)
        inner[-1] = inner[64] = 0;
    __syncthreads();
    out[tid] = inner[tid - 1] + inner[tid + 1] + before[tid ^ 1] + after[tid ^ 1];
}

extern "C" __global__ void clean_rows(int *out, const int *in, int n) // a table as one long row
{
    __shared__ int table[8][9], other[64];
    const int tid = threadIdx.x;
    int *const row = &table[0][0];
    for (int k = tid; k < 72; k += 64)
        row[k] = in[k];
    other[tid] = 1;
    __syncthreads();
    out[tid] = table[tid / 8][tid % 8] + row[71 - tid] + other[tid ^ 1];
}

struct Node {
    int key;
    short left, right;
};

extern "C" __global__ void clean_nodes(int *out, const int *in, int n) // structures, from both ends, by pointers
{
    __shared__ Node nodes[64];
    __shared__ int other[64];
    const int tid = threadIdx.x;
    nodes[tid].key = in[tid];
    nodes[tid].left = (short)(tid - 1);
    nodes[tid].right = (short)(tid + 1);
    other[tid] = 1;
    __syncthreads();
    int sum = 0;
    for (const Node *node = &nodes[63]; node > nodes; node -= 9)
        sum += node->key;
    for (int at = tid; at < 64; at = nodes[at].right)
        sum += nodes[at].key;
    out[tid] = sum + other[63 - tid];
}
