// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs of so many neighbouring threads take the first way, as many the other: how full are the instructions?

extern "C" __global__ void branch(float* out, const float* in, int run)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];
    if (threadIdx.x / run % 2 == 0) {
        for (int k = 0; k < 16; k++) {
            x = x * x + 1.0f;
        }
    } else {
        for (int k = 0; k < 16; k++) {
            x = sqrtf(x) - 1.0f;
        }
    }
    out[i] = x;
}
