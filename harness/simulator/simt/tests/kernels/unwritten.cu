// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads of memory that nothing has written, in the lines that are marked with //!.

extern "C" __global__ void shared_tail(int *out, const int *in, int n) // the last tile is not full
{
    __shared__ int tile[64];
    if (threadIdx.x < n)
        tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x]; //!
}

extern "C" __global__ void global_tail(int *out, const int *in, int n) // the host wrote n of them
{
    out[threadIdx.x] = in[threadIdx.x]; //!
}

extern "C" __global__ void never_cleared(int *out, const int *in, int n)
{
    atomicAdd(&out[threadIdx.x & 1], in[0]); //!
}

extern "C" __global__ void own_words(int *out, const int *in, int n) // what it reads it has written
{
    out[threadIdx.x] = in[0];
    __syncthreads();
    out[threadIdx.x] += out[threadIdx.x ^ 1] & 0;
}

extern "C" __global__ void local_tail(int *out, const int *in, int n) // an array of the thread's own, filled up to n
{
    int own[8];
    for (int k = 0; k < n; k++)
        own[k] = in[k];
    out[threadIdx.x] = own[threadIdx.x & 7]; //!
}

extern "C" __global__ void counts_of_nothing(int *out, const int *in, int n) // a histogram that never begins at 0
{
    __shared__ int counts[64];
    atomicAdd(&counts[threadIdx.x], in[threadIdx.x] & 1); //!
    __syncthreads();
    out[threadIdx.x] = counts[63 - threadIdx.x];
}
