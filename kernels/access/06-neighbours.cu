// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: neighbouring lanes copy neighbouring elements.
// Why:     the 128 bytes of a warp are four whole sectors: nothing is moved that is not used.
// Expect:  twice the speed of stride 2, and near to what the memory can do.

extern "C" __global__ void copy(unsigned int n, const float* in, float* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        out[i] = in[i];
    }
}
