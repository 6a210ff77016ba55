// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums of which several blocks have parts.

// Adds the parts of each of `count` elements.
extern "C" __global__ void reduce(int count, int parts, float alpha, const float *partial, float beta, float *c)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) {
        float sum = 0.0f;
#pragma unroll 8
        for (int part = 0; part < parts; part++) {
            sum += partial[(size_t)part * count + i];
        }
        store(c + i, alpha, sum, beta);
    }
}
