// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: sums go through shared memory, where the tiles were, and from there to C by rows.
// Why:     a lane has pairs of eight rows. Stored as they are, a warp writes 32 bytes of each row at a time, or 4 if n is odd.
// Expect:  nothing with many terms; a tenth with few; a sixth where rows of C do not begin at multiples of 16 bytes.

#define TILE_ROWS 128 // of a block
#define TILE_COLUMNS 256
#define DEPTH 64 // columns of a tile of A, rows of one of B
#define SIDE 64 // rows and columns of a warp: two warps below each other, four side by side
#define THREADS 256
#define STAGES 3 // tiles in shared memory
#define CHUNK 8 // elements of 16 bytes
#define PITCH (SIDE + 8) // of a row of sums: neighbouring rows begin in different banks
#define GROUP 8 // rows of tiles that blocks of neighbouring numbers compute together: they share columns of B in L2

#include "padding16.cuh"
#include "result.cuh"
#include "copies.cuh"
#include "matrices.cuh"

#define CHUNKS_A (DEPTH / CHUNK) // of a row
#define CHUNKS_B (TILE_COLUMNS / CHUNK)
#define STAGE (TILE_ROWS * CHUNKS_A + DEPTH * CHUNKS_B) // chunks of a tile of A and one of B

// Where chunk `x` of row `y` lies in its row: eight rows that are loaded together lie in different banks.
__device__ __forceinline__ int swizzled(int y, int x)
{
    return x ^ (y % 8);
}

// What a warp multiplies at a time: 16 terms.
struct Terms {
    unsigned of_a[SIDE / 16][4], of_b[SIDE / 8][2];
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
gemm(int m, int n, int k, int pitch, float alpha, const unsigned short *a, const unsigned short *b, float beta, float *c)
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
    uint4 *const to_a = stages + a_y * CHUNKS_A + swizzled(a_y, a_x);
    uint4 *const to_b = stages + TILE_ROWS * CHUNKS_A + b_y * CHUNKS_B + swizzled(b_y, b_x);
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
    const unsigned shared = (unsigned)__cvta_generic_to_shared(stages);
    const auto load = [&](Terms &terms, int stage, int i) {
#pragma unroll
        for (int j = 0; j < SIDE / 16; j++) {
            const int row = y + j * 16 + lane % 16, chunk = swizzled(row, i / CHUNK + lane / 16);
            const unsigned from = shared + (stage * STAGE + row * CHUNKS_A + chunk) * 16;
            load_matrices(terms.of_a[j][0], terms.of_a[j][1], terms.of_a[j][2], terms.of_a[j][3], from);
        }
#pragma unroll
        for (int j = 0; j < SIDE / 8; j += 2) {
            const int row = i + lane % 16, chunk = swizzled(row, x / CHUNK + j + lane / 16);
            const unsigned from = shared + (stage * STAGE + TILE_ROWS * CHUNKS_A + row * CHUNKS_B + chunk) * 16;
            load_transposed(terms.of_b[j][0], terms.of_b[j][1], terms.of_b[j + 1][0], terms.of_b[j + 1][1], from);
        }
    };
    float sum[SIDE / 16][SIDE / 8][4] = {};
    const auto multiply = [&](const Terms &terms) {
#pragma unroll
        for (int j = 0; j < SIDE / 16; j++) {
#pragma unroll
            for (int l = 0; l < SIDE / 8; l++) {
                const int i = j % 2 == 0 ? l : SIDE / 8 - 1 - l; // there and back: neighbours have a factor in common
                multiply_16_bits(sum[j][i], terms.of_a[j], terms.of_b[i]);
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
        for (int i = 0; i < DEPTH / 16; i++) {
            if (i < DEPTH / 16 - 1) {
                load(terms[(i + 1) % 2], now, (i + 1) * 16);
                if (fetches) {
                    fetch(last, i, DEPTH / 16 - 1);
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
    __syncthreads(); // nobody will read the tiles any more: the sums of each warp take a part of their place
    float *const sums = (float *)stages + warp * SIDE * PITCH;
    const int g = lane / 4, t = lane % 4; // see matrices.cuh
#pragma unroll
    for (int i = 0; i < SIDE / 16; i++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
#pragma unroll
            for (int j = 0; j < SIDE / 8; j++) {
                const int at = (i * 16 + h * 8 + g) * PITCH + j * 8 + t * 2;
                *(float2 *)(sums + at) = make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
            }
        }
    }
    __syncwarp(); // the sums of all lanes are complete
    const int row = top + y, column = left + x;
    if (n % 4 == 0) { // rows are aligned: a lane stores four neighbours, a warp two rows
        const int j = lane % 16 * 4;
#pragma unroll 8
        for (int i = lane / 16; i < SIDE; i += 2) {
            if (row + i < m && column + j < n) {
                store_vector(c + (row + i) * n + column + j, alpha, sums + i * PITCH + j, beta);
            }
        }
    } else { // a lane stores one element, a warp 32 neighbours
#pragma unroll 8
        for (int i = 0; i < SIDE; i++) {
            for (int j = lane; j < SIDE; j += 32) {
                if (row + i < m && column + j < n) {
                    store(c + (row + i) * n + column + j, alpha, sums[i * PITCH + j], beta);
                }
            }
        }
    }
}
