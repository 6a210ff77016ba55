// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread for each byte: loads and stores of 8 bits.
// Why:     a warp asks for 32 bytes, one sector, by the same instruction that could ask for 128.
// Expect:  a fraction of the bandwidth: four times as many instructions, and few bytes on their way at once.

extern "C" __global__ void copy(unsigned int n, const float* in, float* out)
{
    const size_t i = threadIdx.x + size_t(blockIdx.x) * blockDim.x;
    if (i < n * sizeof(float)) {
        ((char*)out)[i] = ((const char*)in)[i];
    }
}
