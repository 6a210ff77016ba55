// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of any length: what the step of vectors does.

extern "C" __global__ void softmax_long(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    float most = LEAST, sum = 0.0f;
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        const float4 piece = load4(from, i, columns);
        const float greater = fmaxf(most, max4(piece));
        sum = sum * expf(most - greater) + sum4(exp4(piece, greater));
        most = greater;
    }
    sum = add_block(most, sum);
    const float scale = 1.0f / sum;
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        store4(to, i, columns, scale4(exp4(load4(from, i, columns), most), scale));
    }
}
