// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: 128 dependent multiply-adds for each element, between a copy in and a copy out.
// Why:     data that is used once crosses the bus twice, and that takes most of the time.
// Expect:  the driver copies pageable memory by way of a buffer of its own, at a fraction of what the bus can do.
//          The kernel is the same in every step of this ladder: what changes is the host's program.

#define ROUNDS 128

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
