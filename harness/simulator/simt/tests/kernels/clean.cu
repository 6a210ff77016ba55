// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernels without hazards, though some look as if they had: ../hazards/clean.rs demands silence about them.

extern "C" __global__ void transpose(int *out, const int *in, int n) // 32 x 8 threads, n x n words
{
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void block_reduction(int *out, const int *in, int n)
{
    extern __shared__ int sums[];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    sums[tid] = i < n ? in[i] : 0;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            sums[tid] += sums[tid + half];
    }
    if (tid == 0)
        out[blockIdx.x] = sums[0];
}

extern "C" __global__ void shuffle_reduction(int *out, const int *in, int n)
{
    __shared__ int sums[32];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    int sum = i < n ? in[i] : 0;
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(~0u, sum, half);
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = tid < blockDim.x / 32 ? sums[tid] : 0;
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(~0u, sum, half);
        if (tid == 0)
            out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void warp_reduction(int *out, const int *in, int n)
{
    __shared__ int sums[256];
    const int tid = threadIdx.x, lane = tid % 32;
    sums[tid] = in[blockIdx.x * blockDim.x + tid];
    for (int half = 16; half > 0; half /= 2) {
        __syncwarp();
        if (lane < half)
            sums[tid] += sums[tid + half];
    }
    if (lane == 0)
        out[(blockIdx.x * blockDim.x + tid) / 32] = sums[tid];
}

extern "C" __global__ void volatile_reduction(int *out, const int *in, int n) // as before CC 7.0, made safe
{
    __shared__ volatile int sums[64];
    const int tid = threadIdx.x;
    sums[tid] = in[tid];
    __syncthreads();
    if (tid < 32) {
        for (int half = 32; half > 0; half /= 2) {
            const int other = sums[tid + half];
            __syncwarp();
            sums[tid] += other;
            __syncwarp();
        }
        if (tid == 0)
            out[0] = sums[0];
    }
}

extern "C" __global__ void histogram(int *out, const int *in, int n)
{
    __shared__ int counts[64];
    const int tid = threadIdx.x;
    if (tid < 64)
        counts[tid] = 0;
    __syncthreads();
    for (int i = tid; i < n; i += blockDim.x)
        atomicAdd(&counts[in[i] & 63], 1);
    __syncthreads();
    if (tid < 64)
        out[blockIdx.x * 64 + tid] = counts[tid];
}

extern "C" __global__ void double_buffer(int *out, const int *in, int n) // one barrier for each tile
{
    __shared__ int tiles[2][128];
    const int tid = threadIdx.x;
    int sum = 0;
    for (int tile = 0; tile < n / 128; tile++) {
        tiles[tile & 1][tid] = in[tile * 128 + tid];
        __syncthreads();
        for (int k = 0; k < 128; k++)
            sum += tiles[tile & 1][k];
    }
    out[blockIdx.x * 128 + tid] = sum;
}

extern "C" __global__ void named_barriers(int *out, const int *in, int n) // 64 threads produce, 64 consume
{
    __shared__ int buffer[64];
    const int tid = threadIdx.x;
    if (tid < 64) {
        for (int k = 0; k < n; k += 64) {
            asm volatile("bar.sync 1, 128;" ::: "memory"); // empty
            buffer[tid] = in[k + tid];
            asm volatile("bar.arrive 2, 128;" ::: "memory"); // full
        }
    } else {
        int sum = 0;
        for (int k = 0; k < n; k += 64) {
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            asm volatile("bar.sync 2, 128;" ::: "memory");
            sum += buffer[127 - tid];
        }
        out[tid - 64] = sum;
    }
}

extern "C" __global__ void bytes(unsigned char *out, const unsigned char *in, int n) // neighbours share words
{
    __shared__ unsigned char own[256];
    const int tid = threadIdx.x;
    own[tid] = in[tid];
    own[tid] = own[tid] + 1;
    __syncthreads();
    out[tid] = own[255 - tid];
}

extern "C" __global__ void spin_lock(int *out, const int *in, int n)
{
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = 0, sum = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            sum += in[threadIdx.x];
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = sum;
}

__device__ unsigned finished;

extern "C" __global__ void fence_reduction(int *out, const int *in, int n) // the last block adds up
{
    __shared__ int sum;
    __shared__ bool is_last;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++)
            total += ((volatile int *)out)[1 + b];
        out[0] = total;
    }
}

extern "C" __global__ void scan(int *out, const int *in, int n)
{
    __shared__ int sums[256];
    const int tid = threadIdx.x;
    sums[tid] = in[tid];
    __syncthreads();
    for (int by = 1; by < 256; by *= 2) {
        const int other = tid >= by ? sums[tid - by] : 0;
        __syncthreads();
        sums[tid] += other;
        __syncthreads();
    }
    out[tid] = sums[tid];
}

extern "C" __global__ void same_value(int *out, const int *in, int n) // many write, all of them the same
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (in[threadIdx.x] & 1)
        found = 1;
    __syncthreads();
    if (found)
        out[n] = 1; // all blocks write 1
    out[blockIdx.x] = found;
}

extern "C" __global__ void early_return(int *out, const int *in, int n) // ended threads are not waited for
{
    __shared__ int tile[256];
    const int tid = threadIdx.x;
    if (tid >= n)
        return;
    tile[tid] = in[tid];
    __syncthreads();
    out[tid] = tile[n - 1 - tid];
}

extern "C" __global__ void flag(int *out, const int *in, int n) // one warp waits for another
{
    __shared__ int value;
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = in[0];
        __threadfence_block();
        ready = 1;
    } else if (threadIdx.x == 32) {
        while (ready == 0) {
        }
        __threadfence_block();
        out[0] = value;
    }
}

struct Padded {
    int a, b, c;
    int padding;
};

extern "C" __global__ void padding(int *out, const int4 *in, int n) // 16 bytes are read at once, 12 are used
{
    __shared__ int4 own[64];
    const int4 v = in[threadIdx.x];
    own[threadIdx.x].x = v.x, own[threadIdx.x].y = v.y, own[threadIdx.x].z = v.z;
    __syncthreads();
    const int4 w = own[63 - threadIdx.x];
    out[threadIdx.x] = w.x + w.y + w.z;
}

extern "C" __global__ void stencil(int *out, const int *in, int n)
{
    __shared__ int line[256 + 2];
    const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
    line[tid + 1] = in[i];
    if (tid == 0)
        line[0] = i > 0 ? in[i - 1] : 0;
    if (tid == 255)
        line[257] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = line[tid] + line[tid + 1] + line[tid + 2];
}

extern "C" __global__ void queue(int *out, const int *in, int n) // who comes gets the next place
{
    __shared__ int places[256], used;
    const int tid = threadIdx.x;
    if (tid == 0)
        used = 0;
    __syncthreads();
    if (in[tid] & 1)
        places[atomicAdd(&used, 1)] = tid;
    __syncthreads();
    if (tid < used)
        out[blockIdx.x * 256 + tid] = places[tid];
}

extern "C" __global__ void matrix_product(int *out, const int *in, int n) // 16 x 16 threads
{
    __shared__ int a[16][16], b[16][16];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    int sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += a[y][j] * b[j][x];
        __syncthreads();
    }
    out[row * n + column] = sum;
}

extern "C" __global__ void half_warps(int *out, const int *in, int n) // each half synchronises on its own
{
    __shared__ int own[32];
    const int lane = threadIdx.x;
    const unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
    if (lane < 16) {
        own[lane] = in[lane];
        __syncwarp(half);
        out[lane] = own[15 - lane];
    } else {
        own[lane] = in[lane];
        __syncwarp(half);
        out[lane] = own[47 - lane];
    }
}
