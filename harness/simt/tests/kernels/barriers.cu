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
