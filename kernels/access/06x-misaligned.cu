// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: warps begin one element later: their 128 bytes do not begin at a multiple of 32.
// Why:     five sectors hold what four could; the outer two are also touched by the neighbouring warps.
// Expect:  a quarter more sectors requested; the caches save most of that for loads.

extern "C" __global__ void copy(unsigned int n, const float* in, float* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i + 1 < n) {
        out[i + 1] = in[i + 1];
    }
    if (i == 0) {
        out[0] = in[0];
    }
}
