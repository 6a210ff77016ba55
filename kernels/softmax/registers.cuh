// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of up to 4 `PIECES` elements for each thread of a block.

#define PIECES 8 // of four elements, for a thread

extern "C" __global__ void softmax(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    float4 piece[PIECES];
    float most = LEAST, sum = 0.0f;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = load4(from, of_warp_from(4 * i * blockDim.x), columns);
        most = fmaxf(most, max4(piece[i]));
    }
    most = of_block<Max>(most, LEAST);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = exp4(piece[i], most);
        sum += sum4(piece[i]);
    }
    const float scale = 1.0f / of_block<Sum>(sum, 0.0f);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        store4(to, of_warp_from(4 * i * blockDim.x), columns, scale4(piece[i], scale));
    }
}
