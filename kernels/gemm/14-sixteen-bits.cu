// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: elements of A and B have 16 bits: BF16, with the exponents of floats and 8 bits of their 24.
// Why:     the tensor cores do twice as many of them, and half the bytes are moved.
// Expect:  less than twice: pairs of B that lie in a column have to be put together from two loads of 16 bits.

#define TILE 128 // rows and columns of a block
#define DEPTH 32 // columns of a tile of A, rows of one of B
#define ROWS 64 // of a warp: two warps below each other
#define COLUMNS 32 // of a warp: four side by side
#define THREADS 256
#define CHUNK 8 // elements of 16 bytes
#define PITCH_A (DEPTH + CHUNK) // of a row in shared memory, so that rows begin in different banks
#define PITCH_B (TILE + 8)

#include "padding16.cuh"
#include "result.cuh"
#include "copies.cuh"
#include "matrices.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2)
gemm(int m, int n, int k, int pitch, float alpha, const unsigned short *a, const unsigned short *b, float beta, float *c)
{
    __shared__ __align__(16) unsigned short tile_a[2][TILE][PITCH_A], tile_b[2][DEPTH][PITCH_B];
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
        for (int i = 0; i < DEPTH; i += 16) {
            unsigned of_a[ROWS / 16][4], of_b[COLUMNS / 8][2];
#pragma unroll
            for (int j = 0; j < ROWS / 16; j++) {
                const unsigned *const upper = (const unsigned *)&tile_a[now][y + j * 16 + g][i + 2 * t], *const lower = upper + 4 * PITCH_A;
                of_a[j][0] = upper[0];
                of_a[j][1] = lower[0];
                of_a[j][2] = upper[4];
                of_a[j][3] = lower[4];
            }
#pragma unroll
            for (int j = 0; j < COLUMNS / 8; j++) {
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const unsigned short *const pair = &tile_b[now][i + 2 * t + 8 * h][x + j * 8 + g];
                    of_b[j][h] = pair[0] | (unsigned)pair[PITCH_B] << 16;
                }
            }
#pragma unroll
            for (int j = 0; j < ROWS / 16; j++) {
#pragma unroll
                for (int l = 0; l < COLUMNS / 8; l++) {
                    multiply_16_bits(sum[j][l], of_a[j], of_b[l]);
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
