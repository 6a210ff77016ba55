// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: four more warps only have tiles copied. They wait until a stage is empty, the others until it is full.
// Why:     no barrier holds up all threads: each half of the block goes on as soon as its own tiles are there.
// Expect:  nothing yet: beside such large tiles the barrier is short. The next steps need a producer that runs ahead.

#define TILE_ROWS 128 // of a block
#define TILE_COLUMNS 256
#define DEPTH 64 // columns of a tile of A, rows of one of B: 128 bytes
#define THREADS 384 // the first 128 copy, each 128 of the others have 64 rows
#define STAGES 4 // tiles in shared memory
#define GROUP 8 // rows of tiles that blocks of neighbouring numbers compute together: they share columns of B in L2

#include "padding16.cuh"
#include "result.cuh"
#include "tensor-maps.cuh"
#include "warpgroups.cuh"

// Tiles of A and B. The box of B has 64 columns: 128 bytes are the widest that the copy engine permutes.
struct Stage {
    unsigned short a[TILE_ROWS][DEPTH], b[TILE_COLUMNS / 64][DEPTH][64];
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
gemm(int m, int n, int k, float alpha, const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, float beta,
     float *c)
{
    extern __shared__ __align__(1024) Stage stages[];
    __shared__ Barrier full[STAGES], empty[STAGES];
    const int rows = (m + TILE_ROWS - 1) / TILE_ROWS, columns = (n + TILE_COLUMNS - 1) / TILE_COLUMNS; // of tiles
    const int above = blockIdx.x / (GROUP * columns) * GROUP, height = min(rows - above, GROUP);
    const int top = (above + blockIdx.x % (GROUP * columns) % height) * TILE_ROWS;
    const int left = blockIdx.x % (GROUP * columns) / height * TILE_COLUMNS;
    const int count = (k + DEPTH - 1) / DEPTH; // of tiles along k

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            begin(&full[stage], 1);
            begin(&empty[stage], 8); // warps that multiply
        }
        show_barriers();
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        give_registers<40>();
        for (int i = 0; threadIdx.x == 0 && i < count; i++) { // tiles i
            Stage &to = stages[i % STAGES];
            Barrier *const barrier = &full[i % STAGES];
            wait(&empty[i % STAGES], i / STAGES % 2 ^ 1); // the phase before the first has ended
            announce(barrier, sizeof(Stage));
            copy_box(to.a, a, i * DEPTH, top, barrier);
            for (int box = 0; box < TILE_COLUMNS / 64; box++) {
                copy_box(to.b[box], b, left + box * 64, i * DEPTH, barrier);
            }
        }
        return;
    }
    take_registers<232>();
    const auto release = [&](int i) { // the stage of tiles i
        __syncwarp(); // all lanes have read it
        arrive(&empty[i % STAGES], threadIdx.x % 32 == 0);
    };
    const int warpgroup = threadIdx.x / 128 - 1;
    float sum[SUMS];
    for (int i = 0; i < count; i++) {
        const Stage &from = stages[i % STAGES];
        wait(&full[i % STAGES], i / STAGES % 2);
        // 64 rows of A, eight below eight; 64 columns of B, box beside box and eight rows below eight.
        const auto of_a = descriptor(address(from.a[warpgroup * 64]), 16, 1024);
        const auto of_b = descriptor(address(from.b), sizeof(from.b[0]), 1024);
        begin_products();
#pragma unroll
        for (int j = 0; j < DEPTH; j += 16) {
            multiply_bf16(sum, shifted(of_a, j * 2), shifted(of_b, j * 128), i > 0 || j > 0);
        }
        end_products();
        wait_for_products<1>();
        if (i > 0) {
            release(i - 1);
        }
    }
    wait_for_products<0>();

    const int row = top + warpgroup * 64 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4; // see warpgroups.cuh
#pragma unroll
    for (int h = 0; h < 2; h++) {
#pragma unroll
        for (int i = 0; i < SUMS / 4; i++) {
            const int column = left + i * 8 + threadIdx.x % 4 * 2;
            if (row + h * 8 < m) {
                store2(c + (row + h * 8) * n + column, n - column, n % 2 == 0, alpha, sum[4 * i + 2 * h], sum[4 * i + 2 * h + 1],
                       beta);
            }
        }
    }
}
