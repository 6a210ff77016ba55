// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks that work together without hazards: ../hazards/clean.rs demands silence about them.

__device__ unsigned taken, ready;

extern "C" __global__ void last_block(int *out, const int *in, int n) // the ticket, a barrier, and plain reads
{
    __shared__ bool is_last;
    __shared__ int sums[128];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    out[64 + i] = in[i] & 7;
    __threadfence();
    __syncthreads();
    if (tid == 0)
        is_last = atomicInc(&taken, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last)
        return;
    int sum = 0;
    for (int k = tid; k < gridDim.x * blockDim.x; k += blockDim.x)
        sum += out[64 + k];
    sums[tid] = sum;
    __syncthreads();
    if (tid == 0) {
        for (int k = 1; k < blockDim.x; k++)
            sum += sums[k];
        out[0] = sum;
    }
}

extern "C" __global__ void volatile_parts(volatile int *out, const int *in, int n) // as the programming guide has it
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = in[blockIdx.x];
        __threadfence();
        is_last = atomicInc(&taken, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++)
            total += out[1 + b];
        out[0] = total;
    }
}

extern "C" __global__ void begun_by_an_exchange(int *out, const int *in, int n) // nobody looks at what it replaces
{
    __shared__ int count;
    atomicExch(&count, 0);
    __syncthreads();
    atomicAdd(&count, in[threadIdx.x] & 1);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

extern "C" __global__ void grid_barrier(int *out, const int *in, int n) // all blocks wait for all
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    out[i] = in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&ready, 1);
        while (*(volatile unsigned *)&ready < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[1024 + i] = out[all - 1 - i];
}

extern "C" __global__ void work_queue(int *out, const int *in, int n) // blocks take tiles until there are none
{
    __shared__ int tile;
    for (;;) {
        if (threadIdx.x == 0)
            tile = atomicAdd(&out[0], 1);
        __syncthreads();
        const int own = tile;
        __syncthreads();
        if (own >= n)
            break;
        out[64 + own * blockDim.x + threadIdx.x] = in[own * blockDim.x + threadIdx.x] + 1;
    }
}

extern "C" __global__ void look_back(int *out, const int *in, int n) // a scan: each block waits for the one before
{
    volatile int *const flags = out + 1, *const sums = out + 65;
    __shared__ int before, block;
    if (threadIdx.x == 0) {
        block = atomicAdd(&out[0], 1);
        before = 0;
        if (block > 0) {
            while (flags[block - 1] == 0) {
            }
            __threadfence();
            before = sums[block - 1];
        }
        sums[block] = before + in[block];
        __threadfence();
        flags[block] = 1;
    }
    __syncthreads();
    out[256 + block * blockDim.x + threadIdx.x] = before + threadIdx.x;
}

extern "C" __global__ void locked_buckets(int *out, const int *in, int n) // a lock for each bucket
{
    const int bucket = in[blockIdx.x * blockDim.x + threadIdx.x] & 3;
    for (bool done = false; !done;) {
        if (atomicCAS(&out[bucket], 0, 1) == 0) {
            __threadfence();
            out[64 + bucket] += 1;
            __threadfence();
            atomicExch(&out[bucket], 0);
            done = true;
        }
    }
}

extern "C" __global__ void made_once(int *out, const int *in, int n) // the first makes it, the others wait until it is there
{
    if (threadIdx.x == 0) {
        if (atomicCAS(&out[0], 0, 1) == 0) {
            for (int k = 0; k < 16; k++)
                out[64 + k] = in[k];
            __threadfence();
            atomicExch(&out[0], 2);
        } else {
            while (*(volatile int *)out != 2) {
            }
        }
        __threadfence();
    }
    __syncthreads();
    out[128 + blockIdx.x * blockDim.x + threadIdx.x] = out[64 + threadIdx.x % 16];
}

extern "C" __global__ void least_place(int *out, const int *in, int n) // the look is an atomic that changes nothing
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((in[i] & 15) == 3 && atomicAdd(&out[0], 0) < n - i)
        atomicMax(&out[0], n - i);
}

extern "C" __global__ void tree(int *out, const int *in, int n) // insertion by compare-and-swap, looks by volatile reads
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, key = in[i];
    int at = 0;
    out[1024 + i] = key;
    __threadfence();
    for (;;) {
        int *const child = &out[2 * at + (key & 1)];
        int found = *(volatile int *)child;
        if (found == 0)
            found = atomicCAS(child, 0, i + 1);
        if (found == 0)
            break;
        at = found;
    }
}
