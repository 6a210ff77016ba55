// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: rows of up to 1024 elements have a warp each, and short ones a part of a warp; many share a block.
// Why:     a block of one warp leaves half of a multiprocessor's threads unused; and few lanes add up in few shuffles.
// Expect:  much for short rows, nothing for others. Lanes need no barrier to add up.

#include "block.cuh"
#include "online.cuh"
#include "pieces.cuh"
#include "long.cuh"
#include "registers.cuh"

// A row for each `LANES` lanes, with `COUNT` pieces each.
template <int LANES, int COUNT> __device__ __forceinline__ void of_rows(int rows, int columns, const float *x, float *y)
{
    const int row = threadIdx.x / LANES + blockIdx.x * (blockDim.x / LANES);
    const int own = row < rows ? columns : 0; // all lanes take part in the shuffles
    x += (size_t)row * columns;
    y += (size_t)row * columns;
    float4 piece[COUNT];
    float most = LEAST, sum = 0.0f;
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = load4<LANES>(x, 4 * LANES * i, own);
        most = fmaxf(most, max4(piece[i]));
    }
    most = of_warp<Max, LANES>(most);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        piece[i] = exp4(piece[i], most);
        sum += sum4(piece[i]);
    }
    const float scale = 1.0f / of_warp<Sum, LANES>(sum);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        store4<LANES>(y, 4 * LANES * i, own, scale4(piece[i], scale));
    }
}

extern "C" __global__ void softmax_short(int rows, int columns, const float *x, float *y)
{
    if (columns <= 128) {
        of_rows<8, 4>(rows, columns, x, y);
    } else if (columns <= 256) {
        of_rows<16, 4>(rows, columns, x, y);
    } else if (columns <= 512) {
        of_rows<32, 4>(rows, columns, x, y);
    } else {
        of_rows<32, 8>(rows, columns, x, y);
    }
}
