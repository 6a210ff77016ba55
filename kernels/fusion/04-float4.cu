// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread computes four elements, loaded and stored by 16 bytes at once.
// Why:     fewer instructions for each byte, and 32 bytes on their way to each thread instead of 8.
// Expect:  the bandwidth of a plain copy.

__device__ float one(float a, float b, float factor, float most)
{
    return fminf(sqrtf(fabsf((a + b) * factor)), most);
}

extern "C" __global__ void chain(
    unsigned int n, float factor, float most, const float* a, const float* b, float* c)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n / 4) {
        const float4 x = ((const float4*)a)[i];
        const float4 y = ((const float4*)b)[i];
        ((float4*)c)[i] = make_float4(one(x.x, y.x, factor, most), one(x.y, y.y, factor, most),
                                      one(x.z, y.z, factor, most), one(x.w, y.w, factor, most));
    } else if (i == n / 4) {
        for (unsigned int rest = i * 4; rest < n; rest++) {
            c[rest] = one(a[rest], b[rest], factor, most);
        }
    }
}
