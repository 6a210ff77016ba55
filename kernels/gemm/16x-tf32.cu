// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the same with factors of TF32.
// Why:     a detour: for data that 16 bits cannot hold.
// Expect:  half the speed: half the products for an instruction, and twice the bytes.
//
// `ldmatrix` does not exchange rows and columns of 32-bit elements, so that the product is made the other way round: its transpose is
// that of B's transpose and A's. Of 16 columns, lane 4 g + t has columns 2 g and 2 g + 1, which lie side by side.

#define TILE_ROWS 128 // of a block
#define TILE_COLUMNS 256
#define DEPTH 32 // columns of a tile of A, rows of one of B
#define SIDE 64 // rows and columns of a warp: two warps below each other, four side by side
#define THREADS 256
#define STAGES 3 // tiles in shared memory
#define CHUNK 4 // elements of 16 bytes
#define GROUP 8 // rows of tiles that blocks of neighbouring numbers compute together: they share columns of B in L2

#include "padding.cuh"
#include "result.cuh"
#include "copies.cuh"
#include "matrices.cuh"

#define CHUNKS_A (DEPTH / CHUNK) // of a row
#define CHUNKS_B (TILE_COLUMNS / CHUNK)
#define STAGE (TILE_ROWS * CHUNKS_A + DEPTH * CHUNKS_B) // chunks of a tile of A and one of B

// Where chunk `x` of row `y` lies in its row: rows that are loaded together lie in different banks.
__device__ __forceinline__ int swizzled_a(int y, int x)
{
    return x ^ (y % 8);
}
__device__ __forceinline__ int swizzled_b(int y, int x)
{
    return x ^ (y % 4 * 2);
}

// What a warp multiplies at a time: 8 terms.
struct Terms {
    unsigned of_a[SIDE / 8][2], of_b[SIDE / 16][4];
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
gemm(int m, int n, int k, int pitch, float alpha, const float *a, const float *b, float beta, float *c)
{
    extern __shared__ uint4 stages[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int y = warp / 4 * SIDE, x = warp % 4 * SIDE; // of the warp in the tile
    const int rows = (m + TILE_ROWS - 1) / TILE_ROWS, columns = pitch / TILE_COLUMNS; // of tiles
    const int above = blockIdx.x / (GROUP * columns) * GROUP, height = min(rows - above, GROUP);
    const int top = (above + blockIdx.x % (GROUP * columns) % height) * TILE_ROWS;
    const int left = blockIdx.x % (GROUP * columns) / height * TILE_COLUMNS;

    // Of each tile a thread copies chunks of one column, so many rows apart that they are swizzled alike.
    const int a_y = threadIdx.x / CHUNKS_A, a_x = threadIdx.x % CHUNKS_A, rows_a = THREADS / CHUNKS_A;
    const int b_y = threadIdx.x / CHUNKS_B, b_x = threadIdx.x % CHUNKS_B, rows_b = THREADS / CHUNKS_B;
    unsigned from_a = (top + a_y) * k + a_x * CHUNK, from_b = b_y * pitch + left + b_x * CHUNK;
    uint4 *const to_a = stages + a_y * CHUNKS_A + swizzled_a(a_y, a_x);
    uint4 *const to_b = stages + TILE_ROWS * CHUNKS_A + b_y * CHUNKS_B + swizzled_b(b_y, b_x);
    const auto fetch = [&](int stage, int part, int parts) { // one of equal parts of a tile
#pragma unroll
        for (int i = 0; i < TILE_ROWS / rows_a; i++) {
            if (i * parts / (TILE_ROWS / rows_a) == part) {
                copy16(to_a + stage * STAGE + i * rows_a * CHUNKS_A, a + (from_a + i * rows_a * k));
            }
        }
#pragma unroll
        for (int i = 0; i < DEPTH / rows_b; i++) {
            if (i * parts / (DEPTH / rows_b) == part) {
                copy16(to_b + stage * STAGE + i * rows_b * CHUNKS_B, b + (from_b + i * rows_b * pitch));
            }
        }
    };
    const auto advance = [&]() {
        end_group();
        from_a += DEPTH;
        from_b += DEPTH * pitch;
    };
    const int g = lane / 4, t = lane % 4; // see matrices.cuh
    const unsigned shared = (unsigned)__cvta_generic_to_shared(stages);
    const auto load = [&](Terms &terms, int stage, int i) {
#pragma unroll
        for (int j = 0; j < SIDE / 8; j += 2) {
            const int row = y + j * 8 + lane / 16 * 8 + lane % 8, chunk = swizzled_a(row, i / CHUNK + lane / 8 % 2);
            const unsigned from = shared + (stage * STAGE + row * CHUNKS_A + chunk) * 16;
            load_matrices(terms.of_a[j][0], terms.of_a[j][1], terms.of_a[j + 1][0], terms.of_a[j + 1][1], from);
        }
#pragma unroll
        for (int j = 0; j < SIDE / 16; j++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = i + h * 4 + t, chunk = swizzled_b(row, (x + j * 16) / CHUNK + g / 2);
                const uint4 *const from = stages + stage * STAGE + TILE_ROWS * CHUNKS_A + row * CHUNKS_B + chunk;
                const uint2 pair = ((const uint2 *)from)[g % 2];
                terms.of_b[j][2 * h] = pair.x;
                terms.of_b[j][2 * h + 1] = pair.y;
            }
        }
    };
    float sum[SIDE / 16][SIDE / 8][4] = {}; // of 16 columns of C and 8 rows
    const auto multiply = [&](const Terms &terms) {
#pragma unroll
        for (int j = 0; j < SIDE / 16; j++) {
#pragma unroll
            for (int l = 0; l < SIDE / 8; l++) {
                const int i = j % 2 == 0 ? l : SIDE / 8 - 1 - l; // there and back: neighbours have a factor in common
                multiply_tf32(sum[j][i], terms.of_b[j], terms.of_a[i]);
            }
        }
    };

#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++) {
        if (stage * DEPTH < k) {
            fetch(stage, 0, 1);
        }
        advance();
    }
    wait_for_groups<STAGES - 2>();
    __syncthreads(); // the first tiles are complete
    Terms terms[2];
    load(terms[0], 0, 0);
    int now = 0, last = STAGES - 1; // stages: that which is used, and that which is free
    const auto use = [&](bool fetches, bool is_last) { // the tiles of a stage, and begins to copy others to the stage that is free
#pragma unroll
        for (int i = 0; i < DEPTH / 8; i++) {
            if (i < DEPTH / 8 - 1) {
                load(terms[(i + 1) % 2], now, (i + 1) * 8);
                if (fetches) {
                    fetch(last, i, DEPTH / 8 - 1);
                }
            } else if (!is_last) {
                advance();
                now = now + 1 < STAGES ? now + 1 : 0;
                last = last + 1 < STAGES ? last + 1 : 0;
                wait_for_groups<STAGES - 2>();
                __syncthreads(); // the next tiles are complete, and nobody will read these any more
                load(terms[(i + 1) % 2], now, 0);
            }
            multiply(terms[i % 2]);
        }
    };
    int first = 0;
#pragma unroll 1
    for (; first + (STAGES - 1) * DEPTH < k; first += DEPTH) {
        use(true, false);
    }
#pragma unroll
    for (int stage = 0; stage < STAGES - 2; stage++) {
        if (first + DEPTH < k) {
            use(false, false);
            first += DEPTH;
        }
    }
    use(false, true);
#pragma unroll
    for (int i = 0; i < SIDE / 8; i++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int row = top + y + i * 8 + t * 2 + h;
#pragma unroll
            for (int j = 0; j < SIDE / 16; j++) {
                const int column = left + x + j * 16 + g * 2;
                if (row < m) {
                    store2(c + row * n + column, n - column, n % 2 == 0, alpha, sum[j][i][h], sum[j][i][2 + h], beta);
                }
            }
        }
    }
}
