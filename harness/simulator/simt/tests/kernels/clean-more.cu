// SPDX-License-Identifier: MIT OR Apache-2.0
// More kernels without hazards: ../hazards/clean.rs demands silence about them.

extern "C" __global__ void sync_count(int *out, const int *in, int n) // a barrier that counts
{
    __shared__ int a[128];
    const int tid = threadIdx.x;
    a[tid] = in[tid];
    int c = __syncthreads_count(in[tid] & 1);
    out[tid] = a[127 - tid] + c;
}

extern "C" __global__ void doubles(double *out, const double *in, int n) // words of 8 bytes
{
    __shared__ double a[128];
    const int tid = threadIdx.x;
    a[tid] = in[tid];
    __syncthreads();
    for (int s = 64; s; s >>= 1) { if (tid < s) a[tid] += a[tid + s]; __syncthreads(); }
    if (!tid) out[0] = a[0];
}

__device__ int sum_of(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }

extern "C" __global__ void generic(int *out, const int *in, int n) // pointers that may be to shared memory
{
    __shared__ int a[128];
    const int tid = threadIdx.x;
    int *p = n & 1 ? out : a;
    p[tid] = in[tid];
    __syncthreads();
    out[512 + tid] = sum_of(p, 128);
}

extern "C" __global__ void warp_aggregated(int *out, const int *in, int n) // one atomic for each warp
{
    __shared__ int count, list[256];
    const int tid = threadIdx.x, lane = tid & 31;
    if (!tid) count = 0;
    __syncthreads();
    const bool p = in[tid] & 1;
    const unsigned m = __ballot_sync(~0u, p);
    int base = 0;
    if (lane == 0) base = atomicAdd(&count, __popc(m));
    base = __shfl_sync(~0u, base, 0);
    if (p) list[base + __popc(m & ((1u << lane) - 1))] = tid;
    __syncthreads();
    if (tid < count) out[tid] = list[tid];
}

extern "C" __global__ void loop_early_exit(int *out, const int *in, int n) // warps leave at different times
{
    __shared__ int a[4][32];
    const int w = threadIdx.x / 32, lane = threadIdx.x & 31;
    for (int k = 0; k <= w; k++) {
        a[w][lane] = in[k * 32 + lane];
        __syncwarp();
        out[threadIdx.x] = a[w][31 - lane];
        __syncwarp();
    }
}

extern "C" __global__ void bitonic(int *out, const int *in, int n) // each pair has one owner
{
    __shared__ int a[256];
    const int tid = threadIdx.x;
    a[tid] = in[tid];
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            const int o = tid ^ j;
            if (o > tid) {
                const bool up = (tid & k) == 0;
                if ((a[tid] > a[o]) == up) { int t = a[tid]; a[tid] = a[o]; a[o] = t; }
            }
        }
    __syncthreads();
    out[tid] = a[tid];
}

extern "C" __global__ void shared_struct(int *out, const int *in, int n) // fields narrower than a word
{
    struct S { char c; short s; int i; };
    __shared__ S a[64];
    const int tid = threadIdx.x;
    a[tid].c = in[tid]; a[tid].s = in[tid] >> 8; a[tid].i = tid;
    __syncthreads();
    S v = a[63 - tid];
    out[tid] = v.c + v.s + v.i;
}

extern "C" __global__ void ticket_lock_volatile(int *out, const int *in, int n) // each warp waits for its number
{
    __shared__ int next; __shared__ volatile int serving; __shared__ int sum;
    if (!threadIdx.x) next = 0, serving = 0, sum = 0;
    __syncthreads();
    if ((threadIdx.x & 31) == 0) {
        const int my = atomicAdd(&next, 1);
        while (serving != my) {}
        __threadfence_block();
        sum += in[threadIdx.x];
        __threadfence_block();
        serving = my + 1;
    }
    __syncthreads();
    if (!threadIdx.x) out[0] = sum;
}

extern "C" __global__ void in_place_own(int *out, const int *in, int n) // each thread its own word
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = out[i] + 1; __syncthreads(); if (threadIdx.x < 63) out[i] += 1;
}

extern "C" __global__ void compound_min(int *out, const int *in, int n) // atomicMin via shared, then plain after barrier
{
    __shared__ int m;
    if (threadIdx.x == 0) m = 0x7fffffff;
    __syncthreads();
    atomicMin(&m, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = m;
    __syncthreads();
    if (threadIdx.x == 5) m = 3;
    __syncthreads();
    out[threadIdx.x] += m;
}

extern "C" __global__ void while_changed(int *out, const int *in, int n)
{
    __shared__ bool changed; __shared__ int v[64];
    v[threadIdx.x] = in[threadIdx.x];
    do {
        __syncthreads();
        if (threadIdx.x == 0) changed = false;
        __syncthreads();
        int nb = threadIdx.x ? v[threadIdx.x - 1] : v[0];
        __syncthreads();
        if (nb > v[threadIdx.x]) { v[threadIdx.x] = nb; changed = true; }
        __syncthreads();
    } while (changed);
    out[threadIdx.x] = v[threadIdx.x];
}

extern "C" __global__ void sync_or(int *out, const int *in, int n)
{
    __shared__ int v[64];
    v[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int ch;
    do {
        int nb = threadIdx.x ? v[threadIdx.x - 1] : v[0];
        ch = nb > v[threadIdx.x];
        __syncthreads();
        if (ch) v[threadIdx.x] = nb;
    } while (__syncthreads_or(ch));
    out[threadIdx.x] = v[threadIdx.x];
}
