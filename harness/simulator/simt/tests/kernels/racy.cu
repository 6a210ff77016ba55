// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels with one race each, between the lines that are marked with //!. Most give the right result on the simulator
// all the same. ../hazards/racy.rs demands that exactly these lines are named.

extern "C" __global__ void transpose(int *out, const int *in, int n) // no barrier
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x]; //!
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k]; //!
}

extern "C" __global__ void block_reduction(int *out, const int *in, int n) // only one barrier, before the loop
{
    __shared__ int sums[256];
    const int tid = threadIdx.x;
    sums[tid] = in[tid];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (tid < half)
            sums[tid] += sums[tid + half]; //!
    }
    if (tid == 0)
        out[0] = sums[0];
}

extern "C" __global__ void first_barrier(int *out, const int *in, int n) // the first pass lacks a barrier
{
    __shared__ int sums[256];
    const int tid = threadIdx.x;
    sums[tid] = in[tid]; //!
    for (int half = 128; half > 0; half /= 2) {
        if (tid < half)
            sums[tid] += sums[tid + half]; //!
        __syncthreads();
    }
    if (tid == 0)
        out[0] = sums[0];
}

extern "C" __global__ void shuffled_sums(int *out, const int *in, int n) // shuffles do not order memory
{
    __shared__ int sums[8];
    const int tid = threadIdx.x;
    int sum = in[tid];
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(~0u, sum, half);
    if (tid % 32 == 0)
        sums[tid / 32] = sum; //!
    if (tid == 0) {
        int total = 0;
        for (int warp = 0; warp < 8; warp++)
            total += sums[warp]; //!
        out[0] = total;
    }
}

extern "C" __global__ void warp_reduction(int *out, const int *in, int n) // no __syncwarp()
{
    __shared__ int sums[256];
    const int tid = threadIdx.x, lane = tid % 32;
    sums[tid] = in[tid];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half)
            sums[tid] += sums[tid + half]; //!
    }
    if (lane == 0)
        out[tid / 32] = sums[tid];
}

extern "C" __global__ void volatile_reduction(int *out, const int *in, int n) // as it was before CC 7.0
{
    __shared__ volatile int sums[64];
    const int tid = threadIdx.x;
    sums[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        for (int half = 32; half > 0; half /= 2)
            sums[tid] += sums[tid + half]; //!
        if (tid == 0)
            out[0] = sums[0];
    }
}

extern "C" __global__ void histogram(int *out, const int *in, int n) // counts before all counts are 0
{
    __shared__ int counts[64];
    const int tid = threadIdx.x;
    if (tid < 64)
        counts[tid] = 0; //!
    for (int i = tid; i < n; i += blockDim.x)
        atomicAdd(&counts[in[i] & 63], 1); //!
    __syncthreads();
    if (tid < 64)
        out[blockIdx.x * 64 + tid] = counts[tid];
}

extern "C" __global__ void increments(int *out, const int *in, int n) // no atomics
{
    __shared__ int counts[64];
    const int tid = threadIdx.x;
    if (tid < 64)
        counts[tid] = 0;
    __syncthreads();
    counts[in[tid] & 63]++; //!
    __syncthreads();
    if (tid < 64)
        out[blockIdx.x * 64 + tid] = counts[tid];
}

extern "C" __global__ void next_tile(int *out, const int *in, int n) // the barrier at the end of the loop is missing
{
    __shared__ int tile[128];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k += 128) {
        tile[tid] = in[k + tid]; //!
        __syncthreads();
        for (int j = 0; j < 128; j++)
            sum += tile[j]; //!
    }
    out[tid] = sum;
}

extern "C" __global__ void this_tile(int *out, const int *in, int n) // the barrier after loading is missing
{
    __shared__ int tile[128];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k += 128) {
        tile[tid] = in[k + tid]; //!
        for (int j = 0; j < 128; j++)
            sum += tile[j]; //!
        __syncthreads();
    }
    out[tid] = sum;
}

extern "C" __global__ void named_barriers(int *out, const int *in, int n) // the producer does not wait for the consumer
{
    __shared__ int buffer[64];
    const int tid = threadIdx.x;
    if (tid < 64) {
        for (int k = 0; k < n; k += 64) {
            buffer[tid] = in[k + tid]; //!
            asm volatile("bar.sync 2, 128;" ::: "memory"); // full
        }
    } else {
        int sum = 0;
        for (int k = 0; k < n; k += 64) {
            asm volatile("bar.sync 2, 128;" ::: "memory");
            sum += buffer[127 - tid]; //!
        }
        out[tid - 64] = sum;
    }
}

extern "C" __global__ void off_by_one(int *out, const int *in, int n) // the last of a thread's words is its neighbour's
{
    __shared__ int words[4 * 64 + 1];
    const int tid = threadIdx.x;
    for (int k = 0; k <= 4; k++)
        words[4 * tid + k] = in[4 * tid + k] + k; //!
    __syncthreads();
    out[tid] = words[4 * tid];
}

extern "C" __global__ void bytes(unsigned char *out, const unsigned char *in, int n) // each reads a neighbour's byte
{
    __shared__ unsigned char own[256];
    const int tid = threadIdx.x;
    own[tid] = in[tid]; //!
    out[tid] = own[tid ^ 1]; //!
}

extern "C" __global__ void spin_lock(int *out, const int *in, int n) // no fence before the lock is given back
{
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = 0, sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += in[threadIdx.x]; //!
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = sum;
}

extern "C" __global__ void scan(int *out, const int *in, int n) // writes while others still read
{
    __shared__ int sums[256];
    const int tid = threadIdx.x;
    sums[tid] = in[tid];
    __syncthreads();
    for (int by = 1; by < 256; by *= 2) {
        const int other = tid >= by ? sums[tid - by] : 0; //!
        sums[tid] += other; //!
        __syncthreads();
    }
    out[tid] = sums[tid];
}

extern "C" __global__ void one_winner(int *out, const int *in, int n) // all lanes write, each its own number
{
    __shared__ int last;
    last = threadIdx.x; //!
    __syncthreads();
    out[threadIdx.x] = last;
}

extern "C" __global__ void found(int *out, const int *in, int n) // the value is the same, but is it there yet?
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (threadIdx.x == 40)
        found = 1; //!
    out[threadIdx.x] = found; //!
}

extern "C" __global__ void flag(int *out, const int *in, int n) // the flag is set before the value
{
    __shared__ int value;
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_block();
        ready = 1;
        value = in[0]; //!
    } else if (threadIdx.x == 32) {
        while (ready == 0) {
        }
        __threadfence_block();
        out[0] = value; //!
    }
}

extern "C" __global__ void sum_of_all(int *out, const int *in, int n) // in global memory, without atomics
{
    out[0] += in[blockIdx.x * blockDim.x + threadIdx.x]; //!
}

extern "C" __global__ void overlap(int *out, const int *in, int n) // blocks share their border
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; //!
    if (threadIdx.x == 63)
        out[i + 1] = -1; //!
}

extern "C" __global__ void in_place(int *out, const int *in, int n) // neighbours of other blocks may be done already
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int next = out[(i + 64) % n]; //!
    out[i] = next + in[i]; //!
}

extern "C" __global__ void within_a_block(int *out, const int *in, int n) // in global memory, no barrier
{
    const int first = blockIdx.x * blockDim.x, tid = threadIdx.x;
    out[first + tid] = in[first + tid]; //!
    const int other = out[first + 63 - tid]; //!
    __syncthreads();
    out[first + tid] = other;
}

extern "C" __global__ void half_warps(int *out, const int *in, int n) // each half synchronises, and reads the other
{
    __shared__ int own[32];
    const int lane = threadIdx.x;
    own[lane] = in[lane]; //!
    __syncwarp(lane < 16 ? 0xffffu : 0xffff0000u);
    out[lane] = own[31 - lane]; //!
}

extern "C" __global__ void hidden_store(int *out, const int *in, int n) // each warp counts, perhaps before the count is 0
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0; //!
    if (threadIdx.x % 32 == 0)
        atomicAdd(&count, in[threadIdx.x]); //!
    __syncthreads();
    out[threadIdx.x] = count;
}
