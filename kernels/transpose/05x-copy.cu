// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing is turned: the host gives a matrix whose rows are columns already, and float4 by float4 is copied.
// Why:     a copy of as many bytes is the most that a transposition can reach.
// Expect:  the limit of this ladder: what is missing to it is the cost of turning.

extern "C" __global__ void transpose(int rows, int columns, const float* in, float* out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const int n = rows * columns;
    if (i < n / 4) {
        ((float4*)out)[i] = ((const float4*)in)[i];
    } else if (i == n / 4) {
        for (int rest = i * 4; rest < n; rest++) {
            out[rest] = in[rest];
        }
    }
}
