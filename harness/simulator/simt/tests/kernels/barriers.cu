// SPDX-License-Identifier: MIT OR Apache-2.0
// Barriers that only some threads come to, in the lines that are marked with //!.

extern "C" __global__ void in_a_condition(int *out, const int *in, int n)
{
    if (threadIdx.x < 40) {
        out[threadIdx.x] = 1;
        __syncthreads(); //!
        out[threadIdx.x] = 2;
    }
    out[64 + threadIdx.x] = 3;
}

extern "C" __global__ void in_a_loop(int *out, const int *in, int n) // lanes leave one by one
{
    for (int k = 0; k < threadIdx.x; k++) {
        out[threadIdx.x] = k;
        __syncthreads(); //!
    }
    out[64 + threadIdx.x] = 3;
}

extern "C" __global__ void on_both_sides(int *out, const int *in, int n) // whole warps, but different barriers
{
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads(); //!
        out[threadIdx.x] = 2;
    } else {
        out[threadIdx.x] = 3;
        __syncthreads(); //!
        out[threadIdx.x] = 4;
    }
}

extern "C" __global__ void too_few(int *out, const int *in, int n) // 64 threads are waited for, 32 come
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 96;" ::: "memory"); //!
    else
        asm volatile("bar.sync 2, 96;" ::: "memory");
    out[threadIdx.x] = 1;
}

extern "C" __global__ void of_one_warp(int *out, const int *in, int n) // a whole warp goes on without it
{
    if (threadIdx.x < 32)
        __syncthreads(); //!
    out[threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void rounds_of_warps(int *out, const int *in, int n) // each warp has its own number of rounds
{
    int sum = 0;
    for (int k = 0; k <= threadIdx.x / 32; k++) {
        sum += in[32 * k + threadIdx.x % 32];
        __syncthreads(); //!
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void one_behind(int *out, const int *in, int n) // the first barrier of one is the other's second
{
    if (threadIdx.x < 32) {
        out[threadIdx.x] = in[threadIdx.x];
        __syncthreads(); //!
        out[threadIdx.x] += 1;
    }
    out[64 + threadIdx.x] = in[threadIdx.x];
    __syncthreads(); //!
    out[128 + threadIdx.x] = in[threadIdx.x];
}

extern "C" __global__ void count_of_some(int *out, const int *in, int n) // it counts only those that come
{
    int count = 0;
    if (threadIdx.x % 32 < 20)
        count = __syncthreads_count(in[threadIdx.x] & 1); //!
    out[threadIdx.x] = count;
}

extern "C" __global__ void warp_return(int *out, const int *in, int n) // clean: who ended is not waited for
{
    __shared__ int tile[32];
    if (threadIdx.x >= 32)
        return;
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

extern "C" __global__ void same_for_all(int *out, const int *in, int n) // clean: the condition is the block's
{
    __shared__ int tile[64];
    tile[threadIdx.x] = 0;
    for (int k = 0; k < n % 5 + 1; k++) {
        if ((k + n + blockIdx.x) % 2 == 0)
            tile[threadIdx.x] += in[threadIdx.x];
        __syncthreads();
    }
    if (n > 3) {
        const int other = tile[63 - threadIdx.x];
        __syncthreads();
        tile[threadIdx.x] = other;
    }
    out[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void halves_of_a_block(int *out, const int *in, int n) // clean: each half has a barrier of its own
{
    __shared__ int tile[128];
    const int tid = threadIdx.x, half = tid / 64;
    tile[tid] = in[tid];
    for (int k = 0; k <= half; k++) { // the second half meets once more
        asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
        const int other = tile[64 * half + 63 - tid % 64];
        asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
        tile[tid] = other;
    }
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    out[tid] = tile[64 * half + (tid + 1) % 64];
}
