// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a copy, a float a thread, in blocks of 256. The kernel is the same in most steps.
// Why:     a load takes some 600 clocks; only other warps' loads can keep the memory busy meanwhile.
// Expect:  with 2048 threads on each multiprocessor, most of the bandwidth.

extern "C" __global__ void copy(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = in[i];
    }
}
