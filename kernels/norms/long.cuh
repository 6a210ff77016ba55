// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of any length: what the step of vectors does.

extern "C" __global__ void norms_long(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    Moments all = {0.0f, 0.0f, 0.0f};
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        add4(all, load4(x, i, columns), held(i, columns));
    }
    all = merge_block(all);
    const float mean = all.mean, scale = rsqrtf(all.squares / columns + epsilon);
    for (int i = of_warp_from(0); i < columns; i += 4 * blockDim.x) {
        const float4 apart = apart4(load4(x, i, columns), mean, 4);
        store4(y, i, columns, results4(apart, scale, load4(weight, i, columns), load4(bias, i, columns)));
    }
}
