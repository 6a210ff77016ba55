// SPDX-License-Identifier: MIT OR Apache-2.0
// Page-locked memory that kernels use in place, and copies in pieces: what the time model knows of both.
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e = (x); if (e) printf("ERR %s line %d\n", cudaGetErrorString(e), __LINE__); } while (0)
static cudaEvent_t A, B;
template <class F> static float best(F f, int k = 7) { float m = 1e9; for (int i = 0; i < k; i++) { cudaEventRecord(A); f(); cudaEventRecord(B); CK(cudaEventSynchronize(B)); float t; cudaEventElapsedTime(&t, A, B); if (t < m) m = t; } return m; }
// --- mapped memory
__global__ void mread(const float4* p, unsigned n, float* out) { float s = 0; for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float4 v = p[i]; s += v.x + v.y + v.z + v.w; } if (s == 12345.f) *out = s; }
__global__ void mread1(const float* p, unsigned n, float* out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; float s = i < n ? p[i] : 0; if (s == 12345.f) *out = s; }
__global__ void mreadtwice(const float* p, unsigned n, float* out) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; float s = i < n ? p[i] + p[n - 1 - i] : 0; if (s == 12345.f) *out = s; }
__global__ void mwrite1(float* p, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
__global__ void mcopy1(const float* p, float* q, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) q[i] = p[i]; }
// --- DRAM: copies whose stores (or loads) are pieces of a size, scattered
template <int P> __global__ void pieces(const float4* p, float4* q, unsigned n, int scatterload) { // pieces of P float4
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; unsigned piece = i / P, in = i % P; unsigned np = n / P;
  unsigned long long t = (unsigned long long)piece * 40503u % np; unsigned j = (unsigned)t * P + in; // odd factor, np a power of two
  if (scatterload) q[i] = p[j]; else q[j] = p[i];
}
int main() {
  CK(cudaEventCreate(&A)); CK(cudaEventCreate(&B)); float* out; CK(cudaMalloc(&out, 4));
  unsigned n = 1 << 24; float *h, *g; CK(cudaHostAlloc(&h, 4ull * n, cudaHostAllocMapped)); CK(cudaHostAlloc(&g, 4ull * n, cudaHostAllocMapped)); for (unsigned i = 0; i < n; i++) h[i] = g[i] = i;
  float* d; CK(cudaMalloc(&d, 4ull * n)); double mb = 4.0 * n / 1e6;
  auto rate = [&](const char* s, double bytes_mb, float ms) { printf("%s: %.4f ms, %.2f GB/s\n", s, ms, bytes_mb / ms); };
  rate("memcpy to device", mb, best([&] { cudaMemcpyAsync(d, h, 4ull * n, cudaMemcpyHostToDevice); }));
  rate("memcpy to host", mb, best([&] { cudaMemcpyAsync(h, d, 4ull * n, cudaMemcpyDeviceToHost); }));
  rate("mapped read float4 strided grid", mb, best([&] { mread<<<1056, 256>>>((float4*)h, n / 4, out); }));
  rate("mapped read, a word a thread", mb, best([&] { mread1<<<n / 256, 256>>>(h, n, out); }));
  rate("mapped read mirrored (each twice)", 2 * mb, best([&] { mreadtwice<<<n / 256, 256>>>(h, n, out); }));
  rate("mapped write, a word a thread", mb, best([&] { mwrite1<<<n / 256, 256>>>(g, n); }));
  rate("mapped copy host to host", mb, best([&] { mcopy1<<<n / 256, 256>>>(h, g, n); }));
  { unsigned m = 1 << 26; float4 *p, *q; CK(cudaMalloc(&p, 16ull * m)); CK(cudaMalloc(&q, 16ull * m)); CK(cudaMemset(p, 1, 16ull * m)); double bytes = 32.0 * m / 1e6;
#define PI(P) for (int s : {0, 1}) { float t = best([&] { pieces<P><<<m / 256, 256>>>(p, q, m, s); }); printf("copy in scattered %s of %d bytes: %.4f ms, %.0f GB/s\n", s ? "loads" : "stores", P * 16, t, bytes / t); }
    PI(2) PI(4) PI(8) PI(16) PI(32) PI(64) PI(128)
    float t = best([&] { cudaMemcpyAsync(q, p, 16ull * m, cudaMemcpyDeviceToDevice); }); printf("memcpy device: %.0f GB/s\n", bytes / t); }
}
