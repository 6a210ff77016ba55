// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of up to 4 `PIECES` elements for each thread of a block.

#define THREADS 512 // of a block, at most
#define PIECES 8 // of four elements, for a thread

extern "C" __global__ void __launch_bounds__(THREADS, 2) norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    __shared__ float sums[32], parts[32]; // of each warp
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    float4 piece[PIECES];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = load4(x, of_warp_from(4 * i * blockDim.x), columns);
        sum += sum4(piece[i]);
    }
    const float mean = sum_block(sum, sums) / columns;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        piece[i] = apart4(piece[i], mean, held(of_warp_from(4 * i * blockDim.x), columns));
        squares += squares4(piece[i]);
    }
    const float scale = rsqrtf(sum_block(squares, parts) / columns + epsilon);
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        const int first = of_warp_from(4 * i * blockDim.x);
        store4(y, first, columns, results4(piece[i], scale, load4(weight, first, columns), load4(bias, first, columns)));
    }
}
