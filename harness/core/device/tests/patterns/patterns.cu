// SPDX-License-Identifier: MIT OR Apache-2.0
// Access patterns whose events are known: each kernel is run on a GPU under its profiler once, and the simulator must
// count the same (../patterns.rs). All take the same arguments and run in 4 blocks of 256 threads; `in` and `out` have
// 65536 words, n is 1024.

#define INDEX (threadIdx.x + blockIdx.x * blockDim.x)

struct Body { float mass, posx, posy, posz, velx, vely, velz, accx, accy, accz; };

__constant__ float table[1024];

extern "C" __global__ void copy(float* out, const float* in, int n) { out[INDEX] = in[INDEX]; }

extern "C" __global__ void copy_float4(float4* out, const float4* in, int n) { out[INDEX] = in[INDEX]; }

extern "C" __global__ void copy_bytes(char* out, const char* in, int n) { out[INDEX] = in[INDEX]; }

extern "C" __global__ void shifted(float* out, const float* in, int n) { out[INDEX] = in[INDEX + 1]; }

extern "C" __global__ void stride_2(float* out, const float* in, int n) { out[INDEX] = in[2 * INDEX]; }

extern "C" __global__ void stride_32(float* out, const float* in, int n) { out[INDEX] = in[32 * INDEX]; }

extern "C" __global__ void array_of_structures(float* out, const Body* in, int n)
{
    const Body& body = in[INDEX];
    out[INDEX] = body.posx + body.posy + body.posz;
}

extern "C" __global__ void same_word(float* out, const float* in, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; j++) {
        sum += in[j];
    }
    out[INDEX] = sum;
}

extern "C" __global__ void half_the_lanes(float* out, const float* in, int n)
{
    if (INDEX % 2 == 0) {
        out[INDEX] = in[INDEX];
    }
}

extern "C" __global__ void tail(float* out, const float* in, int n)
{
    if (INDEX < 1000) {
        out[INDEX] = in[INDEX];
    }
}

// Transposes a tile of 32 × 32 in each block (256 threads: 32 × 8, four rows each).
template <int WIDTH>
__device__ void transpose(float* out, const float* in)
{
    __shared__ float tile[32][WIDTH];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int row = y; row < 32; row += 8) {
        tile[row][x] = in[blockIdx.x * 1024 + row * 32 + x];
    }
    __syncthreads();
    for (int row = y; row < 32; row += 8) {
        out[blockIdx.x * 1024 + row * 32 + x] = tile[x][row];
    }
}

extern "C" __global__ void transpose_in_place(float* out, const float* in, int n)
{
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int row = y; row < 32; row += 8) {
        out[blockIdx.x * 1024 + x * 32 + row] = in[blockIdx.x * 1024 + row * 32 + x];
    }
}

extern "C" __global__ void transpose_tile(float* out, const float* in, int n) { transpose<32>(out, in); }

extern "C" __global__ void transpose_padded(float* out, const float* in, int n) { transpose<33>(out, in); }

// Shared memory: store a word each, load with a stride, a wider word, or all the same.
template <typename T, int STRIDE>
__device__ T through_shared(const T* in)
{
    __shared__ T words[256 * (STRIDE > 0 ? STRIDE : 1)];
    words[threadIdx.x * STRIDE] = in[INDEX];
    __syncthreads();
    return words[(threadIdx.x ^ 1) * STRIDE];
}

extern "C" __global__ void shared_row(float* out, const float* in, int n) { out[INDEX] = through_shared<float, 1>(in); }

extern "C" __global__ void shared_stride_2(float* out, const float* in, int n) { out[INDEX] = through_shared<float, 2>(in); }

extern "C" __global__ void shared_stride_8(float* out, const float* in, int n) { out[INDEX] = through_shared<float, 8>(in); }

extern "C" __global__ void shared_stride_3(float* out, const float* in, int n) { out[INDEX] = through_shared<float, 3>(in); }

extern "C" __global__ void shared_float2(float2* out, const float2* in, int n) { out[INDEX] = through_shared<float2, 1>(in); }

extern "C" __global__ void shared_float2_stride_2(float2* out, const float2* in, int n)
{
    out[INDEX] = through_shared<float2, 2>(in);
}

extern "C" __global__ void shared_float4(float4* out, const float4* in, int n) { out[INDEX] = through_shared<float4, 1>(in); }

extern "C" __global__ void shared_float4_stride_2(float4* out, const float4* in, int n)
{
    out[INDEX] = through_shared<float4, 2>(in);
}

extern "C" __global__ void shared_float3(float* out, const float3* in, int n)
{
    __shared__ float3 words[256];
    words[threadIdx.x] = in[INDEX];
    __syncthreads();
    const float3 other = words[threadIdx.x ^ 1];
    out[INDEX] = other.x + other.y + other.z;
}

extern "C" __global__ void shared_broadcast(float* out, const float4* in, int n)
{
    __shared__ float4 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    float sum = 0.0f;
    for (int j = 0; j < 256; j++) {
        const float4 word = tile[j];
        sum += word.x * word.y + word.z * word.w;
    }
    out[INDEX] = sum;
}

extern "C" __global__ void shared_half_broadcast(float* out, const float4* in, int n)
{
    __shared__ float4 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    const float4 word = tile[threadIdx.x / 16]; // two words of 16 bytes for each warp
    out[INDEX] = word.x * word.y + word.z * word.w;
}

extern "C" __global__ void constant_same(float* out, const float* in, int n)
{
    out[INDEX] = table[blockIdx.x + n / 2];
}

extern "C" __global__ void constant_by_lane(float* out, const float* in, int n) { out[INDEX] = table[threadIdx.x]; }

extern "C" __global__ void divergent(float* out, const float* in, int n)
{
    float x = in[INDEX];
    if (threadIdx.x % 32 < 8) {
        for (int k = 0; k < n; k++) {
            x = x * x + 1.0f;
        }
    } else {
        for (int k = 0; k < n / 2; k++) {
            x = x * 0.5f - 1.0f;
        }
    }
    out[INDEX] = x;
}

extern "C" __global__ void trips_by_lane(float* out, const float* in, int n)
{
    float x = 0.0f;
    for (unsigned k = 0; k <= threadIdx.x % 32; k++) {
        x += in[k];
    }
    out[INDEX] = x;
}

extern "C" __global__ void histogram_global(int* out, const float* in, int n)
{
    atomicAdd(&out[threadIdx.x % 8], 1);
}

extern "C" __global__ void histogram_shared(int* out, const float* in, int n)
{
    __shared__ int bins[64];
    if (threadIdx.x < 64) {
        bins[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x * 7 % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64) {
        out[blockIdx.x * 64 + threadIdx.x] = bins[threadIdx.x];
    }
}

extern "C" __global__ void reduction_shared(float* out, const float* in, int n)
{
    __shared__ float sums[256];
    sums[threadIdx.x] = in[INDEX];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = sums[0];
    }
}

extern "C" __global__ void reduction_shuffle(float* out, const float* in, int n)
{
    float sum = in[INDEX];
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (threadIdx.x % 32 == 0) {
        out[INDEX / 32] = sum;
    }
}

extern "C" __global__ void local_array(float* out, const float* in, int n)
{
    float own[16];
    for (int k = 0; k < 16; k++) {
        own[k] = in[INDEX + k];
    }
    out[INDEX] = own[(n + threadIdx.x) % 16];
}

extern "C" __global__ void shared_float2_broadcast(float* out, const float2* in, int n)
{
    __shared__ float2 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    float sum = 0.0f;
    for (int j = 0; j < 256; j++) {
        sum += tile[j].x * tile[j].y;
    }
    out[INDEX] = sum;
}

extern "C" __global__ void shared_float2_pairs(float* out, const float2* in, int n)
{
    __shared__ float2 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    const float2 word = tile[threadIdx.x / 2]; // neighbours want the same 8 bytes
    out[INDEX] = word.x * word.y;
}

extern "C" __global__ void shared_float4_pairs(float* out, const float4* in, int n)
{
    __shared__ float4 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    const float4 word = tile[threadIdx.x / 2]; // neighbours want the same 16 bytes
    out[INDEX] = word.x * word.y + word.z * word.w;
}

extern "C" __global__ void shared_float4_first_lanes(float* out, const float4* in, int n)
{
    __shared__ float4 tile[256];
    tile[threadIdx.x] = in[INDEX];
    __syncthreads();
    if (threadIdx.x % 32 < 8) {
        const float4 word = tile[threadIdx.x ^ 1];
        out[INDEX] = word.x * word.y + word.z * word.w;
    }
}

extern "C" __global__ void shared_transposed_float4(float* out, const float4* in, int n)
{
    __shared__ float4 tile[8][32];
    tile[threadIdx.x / 32][threadIdx.x % 32] = in[INDEX];
    __syncthreads();
    const float4 word = tile[threadIdx.x % 8][threadIdx.x / 8]; // eight lanes apart by 512 bytes
    out[INDEX] = word.x * word.y + word.z * word.w;
}
