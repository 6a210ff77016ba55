// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of up to 1024 elements.

// A row for each `LANES` lanes, with `COUNT` pieces each.
template <int LANES, int COUNT>
__device__ __forceinline__ void of_rows(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    const int row = threadIdx.x / LANES + blockIdx.x * (blockDim.x / LANES);
    const int own = row < rows ? columns : 0; // all lanes take part in the shuffles
    x += (size_t)row * columns;
    y += (size_t)row * columns;
    float4 piece[COUNT];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = load4<LANES>(x, 4 * LANES * i, own);
        sum += sum4(piece[i]);
    }
    const float mean = sum_lanes<LANES>(sum) / columns;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = apart4(piece[i], mean, held<LANES>(4 * LANES * i, own));
        squares += squares4(piece[i]);
    }
    const float scale = rsqrtf(sum_lanes<LANES>(squares) / columns + epsilon);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        const float4 by = load4<LANES>(weight, 4 * LANES * i, own), to = load4<LANES>(bias, 4 * LANES * i, own);
        store4<LANES>(y, 4 * LANES * i, own, results4(piece[i], scale, by, to));
    }
}

extern "C" __global__ void norms_short(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    if (columns <= 128) {
        of_rows<8, 4>(rows, columns, epsilon, x, weight, bias, y);
    } else if (columns <= 256) {
        of_rows<16, 4>(rows, columns, epsilon, x, weight, bias, y);
    } else if (columns <= 512) {
        of_rows<32, 4>(rows, columns, epsilon, x, weight, bias, y);
    } else {
        of_rows<32, 8>(rows, columns, epsilon, x, weight, bias, y);
    }
}
