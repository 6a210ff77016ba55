// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the tensor cores multiply: a warp adds the product of 16 x 8 and 8 x 8 elements to 16 x 8 sums by one instruction.
// Why:     1024 multiply-adds for an instruction of a warp instead of 32. Factors are cut to TF32, sums stay floats.
// Expect:  more than twice the speed. It reads shared memory four bytes at a time, which now binds; factors lose 13 bits.

#define TILE 128 // rows and columns of a block
#define DEPTH 16 // columns of a tile of A, rows of one of B
#define ROWS 64 // of a warp: two warps below each other
#define COLUMNS 32 // of a warp: four side by side
#define THREADS 256
#define CHUNK 4 // elements of 16 bytes
#define PITCH_A (DEPTH + CHUNK) // of a row in shared memory, so that rows begin in different banks
#define PITCH_B (TILE + 8)

#include "padding.cuh"
#include "result.cuh"
#include "copies.cuh"
#include "matrices.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2)
gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    __shared__ __align__(16) float tile_a[2][TILE][PITCH_A], tile_b[2][DEPTH][PITCH_B];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int g = lane / 4, t = lane % 4; // see matrices.cuh
    const int y = warp / 4 * ROWS, x = warp % 4 * COLUMNS; // of the warp in the tile
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    const auto fetch = [&](int now, int first) {
#pragma unroll
        for (int part = 0; part < TILE * DEPTH / CHUNK / THREADS; part++) {
            const int i = threadIdx.x + part * THREADS;
            const int a_y = i / (DEPTH / CHUNK), a_x = i % (DEPTH / CHUNK), b_y = i / (TILE / CHUNK), b_x = i % (TILE / CHUNK);
            copy16(&tile_a[now][a_y][a_x * CHUNK], a + (top + a_y) * k + first + a_x * CHUNK);
            copy16(&tile_b[now][b_y][b_x * CHUNK], b + (first + b_y) * pitch + left + b_x * CHUNK);
        }
    };
    float sum[ROWS / 16][COLUMNS / 8][4] = {};
    fetch(0, 0);
    for (int first = 0, now = 0; first < k; first += DEPTH, now ^= 1) {
        wait_for_copies();
        __syncthreads(); // the tiles are complete, and nobody reads the others any more
        if (first + DEPTH < k) {
            fetch(now ^ 1, first + DEPTH);
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i += 8) {
            unsigned of_a[ROWS / 16][4], of_b[COLUMNS / 8][2];
#pragma unroll
            for (int j = 0; j < ROWS / 16; j++) {
                const float *const upper = &tile_a[now][y + j * 16 + g][i + t], *const lower = upper + 8 * PITCH_A;
                of_a[j][0] = __float_as_uint(upper[0]);
                of_a[j][1] = __float_as_uint(lower[0]);
                of_a[j][2] = __float_as_uint(upper[4]);
                of_a[j][3] = __float_as_uint(lower[4]);
            }
#pragma unroll
            for (int j = 0; j < COLUMNS / 8; j++) {
                of_b[j][0] = __float_as_uint(tile_b[now][i + t][x + j * 8 + g]);
                of_b[j][1] = __float_as_uint(tile_b[now][i + t + 4][x + j * 8 + g]);
            }
#pragma unroll
            for (int j = 0; j < ROWS / 16; j++) {
#pragma unroll
                for (int l = 0; l < COLUMNS / 8; l++) {
                    multiply_tf32(sum[j][l], of_a[j], of_b[l]);
                }
            }
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS / 16; i++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = top + y + i * 16 + h * 8 + g;
#pragma unroll
            for (int j = 0; j < COLUMNS / 8; j++) {
                const int column = left + x + j * 8 + t * 2;
                if (row < m) {
                    store2(c + row * n + column, n - column, n % 2 == 0, alpha, sum[i][j][2 * h], sum[i][j][2 * h + 1], beta);
                }
            }
        }
    }
}
