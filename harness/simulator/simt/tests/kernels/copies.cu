// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies into shared memory: correct, and wrong in the lines that are marked with //!.

__device__ __forceinline__ void copy(int *to, const int *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(from) : "memory");
}

__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int groups> __device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

extern "C" __global__ void two_buffers(int *out, const int *in, int n)
{
    __shared__ int tiles[2][64];
    const int tid = threadIdx.x;
    int sum = 0;
    copy(&tiles[0][tid], &in[tid]);
    for (int j = 0, now = 0; j < n; j += 64, now ^= 1) {
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        if (j + 64 < n)
            copy(&tiles[now ^ 1][tid], &in[j + 64 + tid]);
        for (int k = 0; k < 64; k++)
            sum += tiles[now][k];
    }
    out[tid] = sum;
}

extern "C" __global__ void groups(int *out, const int *in, int n) // two under way while the third is used
{
    __shared__ int tiles[3][64];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        copy(&tiles[k][tid], &in[64 * k + tid]);
        commit();
    }
    for (int j = 0; j < n / 64; j++) {
        wait<1>();
        __syncthreads();
        if (j + 2 < n / 64)
            copy(&tiles[(j + 2) % 3][tid], &in[64 * (j + 2) + tid]);
        commit();
        sum += tiles[j % 3][tid ^ 33];
    }
    out[tid] = sum;
}

extern "C" __global__ void never_waited_for(int *out, const int *in, int n)
{
    __shared__ int tile[64];
    copy(&tile[threadIdx.x], &in[threadIdx.x]);
    commit();
    wait<1>();
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x]; //!
}

extern "C" __global__ void second_time(int *out, const int *in, int n) // what was there first is of no use any more
{
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    copy(&tile[threadIdx.x], &in[threadIdx.x]);
    out[threadIdx.x] = tile[threadIdx.x]; //!
}

extern "C" __global__ void waited_for_by_one(int *out, const int *in, int n) // no barrier
{
    __shared__ int tile[64];
    copy(&tile[threadIdx.x], &in[threadIdx.x]);
    wait<0>();
    out[threadIdx.x] = tile[threadIdx.x ^ 32]; //!
}

extern "C" __global__ void too_early(int *out, const int *in, int n) // others still read
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 32]; //!
    copy(&tile[threadIdx.x], &in[threadIdx.x]);
}
