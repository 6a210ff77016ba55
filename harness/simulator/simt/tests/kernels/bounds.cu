// SPDX-License-Identifier: MIT OR Apache-2.0
// Accesses that are refused, in the lines that are marked with //!.

extern "C" __global__ void far_outside(int *out, const int *in, int n)
{
    out[threadIdx.x + (1 << 28)] = in[threadIdx.x]; //!
}

extern "C" __global__ void into_the_next(int *out, const int *in, int n) // behind the last word of `out`
{
    out[threadIdx.x + 4096 - 32] = in[threadIdx.x]; //!
}

extern "C" __global__ void before_the_first(int *out, const int *in, int n)
{
    out[(int)threadIdx.x - 1] = in[threadIdx.x]; //!
}

extern "C" __global__ void misaligned(char *out, const int *in, int n)
{
    *(int *)(out + 4 * threadIdx.x + n) = in[threadIdx.x]; //!
}

extern "C" __global__ void null(int *out, const int *in, int n)
{
    int *const nothing = (int *)(unsigned long long)(n - 1);
    nothing[threadIdx.x] = in[threadIdx.x]; //!
}

extern "C" __global__ void shared_outside(int *out, const int *in, int n) // outside of all of the block's shared memory
{
    __shared__ int tile[64];
    tile[threadIdx.x + n * 4096] = in[threadIdx.x]; //!
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

extern "C" __global__ void local_outside(int *out, const int *in, int n) // the thread's own array, far behind its end
{
    int own[8];
    for (int k = 0; k < 8; k++)
        own[k] = in[k + threadIdx.x];
    for (int k = 0; k < 8; k++)
        own[in[k] & 7] += k;
    out[threadIdx.x] = own[(threadIdx.x & 7) + n * 100000]; //!
}

extern "C" __global__ void __launch_bounds__(32) bounded(int *out, const int *in, int n) // blocks of 32 at most
{
    out[threadIdx.x] = in[threadIdx.x];
}
