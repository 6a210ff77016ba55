// SPDX-License-Identifier: MIT OR Apache-2.0
// Strided accesses to memory that no cache holds, reads and writes apart.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void rd(const char* p, unsigned n, unsigned stride, unsigned off, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? *(const float*)(p + (size_t)i * stride + off) : 0;
  if (v == 12345.f) *out = v;
}
__global__ void wr(char* p, unsigned n, unsigned stride, unsigned off) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *(float*)(p + (size_t)i * stride + off) = i;
}
__global__ void cp(const char* p, char* q, unsigned n, unsigned stride, unsigned off) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *(float*)(q + (size_t)i * stride + off) = *(const float*)(p + (size_t)i * stride + off);
}
int main() {
  size_t bytes = 1ull << 31; char *p, *q; float* out;
  cudaMalloc(&p, bytes); cudaMalloc(&q, bytes); cudaMalloc(&out, 4); cudaMemset(p, 0, bytes); cudaMemset(q, 0, bytes);
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  auto time = [&](const char* name, unsigned stride, auto f) {
    float best = 1e9; for (int k = 0; k < 6; k++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float t; cudaEventElapsedTime(&t, a, b); if (t < best) best = t; }
    printf("%s stride %u: %.4f ms\n", name, stride, best);
  };
  for (unsigned stride : {4u, 8u, 16u, 32u, 64u, 96u, 128u, 192u, 256u, 512u, 1024u}) {
    unsigned n = (1u << 30) / (stride < 32 ? 32 : stride);   // the same number for small ones
    time("read", stride, [&] { rd<<<(n + 255) / 256, 256>>>(p, n, stride, 0, out); });
    time("write", stride, [&] { wr<<<(n + 255) / 256, 256>>>(p, n, stride, 0); });
    time("copy", stride, [&] { cp<<<(n + 255) / 256, 256>>>(p, q, n, stride, 0); });
  }
  printf("done %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
