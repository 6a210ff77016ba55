// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: coefficients are fetched by the texture unit.
// Why:     textures are cached near the multiprocessor, as loads are.
// Expect:  slower: the texture unit serves a quarter of a warp at a time, for one and the same number.

#define TAPS 32 // coefficients

extern "C" __global__ void filter(int n, float* x, cudaTextureObject_t f, float* y)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum = fmaf(x[i + k], tex1Dfetch<float>(f, k), sum);
        }
        y[i] = sum;
    }
}
