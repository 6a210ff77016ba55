// SPDX-License-Identifier: MIT OR Apache-2.0
// What a texture gives at coordinates, and a copy through surfaces.

extern "C" __global__ void sample1(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1D<float4>(texture, at[4 * i]);
}

extern "C" __global__ void sample2(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<float4>(texture, at[4 * i], at[4 * i + 1]);
}

extern "C" __global__ void sample3(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex3D<float4>(texture, at[4 * i], at[4 * i + 1], at[4 * i + 2]);
}

extern "C" __global__ void layers(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2DLayered<float4>(texture, at[4 * i], at[4 * i + 1], i % 3);
}

extern "C" __global__ void directions(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = texCubemap<float4>(texture, at[4 * i], at[4 * i + 1], at[4 * i + 2]);
}

extern "C" __global__ void fetch(int n, cudaTextureObject_t texture, const float *at, float4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float4>(texture, i);
}

// Turns a surface of 4-byte elements upside down.
extern "C" __global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned value = surf2Dread<unsigned>(from, 4 * x, height - 1 - y);
    surf2Dwrite(value + 1, to, 4 * x, y);
}
