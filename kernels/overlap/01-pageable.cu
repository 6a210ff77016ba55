// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: 512 dependent multiply-adds for each element, between a copy in and a copy out.
// Why:     the arithmetic takes about as long as the copy of its data over the bus.
// Expect:  the same time in every step of this ladder: what changes is the host's program.

#define ROUNDS 512

extern "C" __global__ void evaluate(int n, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const float x = in[i];
        float sum = 1.0f;
        for (int round = 0; round < ROUNDS; round++) {
            sum = fmaf(sum, x, 1.0f);
        }
        out[i] = sum;
    }
}
