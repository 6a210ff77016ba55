// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: two blocks with tiles below each other are a cluster. Each copies half of their tile of B, to both.
// Why:     a tile of B comes from L2 once for both blocks, and no longer twice.
// Expect:  a few percent, and less power.

#define TILE_ROWS 128 // of a block
#define TILE_COLUMNS 256
#define DEPTH 64 // columns of a tile of A, rows of one of B: 128 bytes
#define THREADS 384 // the first 128 copy, each 128 of the others have 64 rows
#define CLUSTER 2 // blocks below each other
#define STAGES 4 // tiles in shared memory
#define GROUP 8 // rows of tiles that blocks of neighbouring numbers compute together: they share columns of B in L2

#include "padding16.cuh"
#include "result.cuh"
#include "tensor-maps.cuh"
#include "clusters.cuh"
#include "warpgroups.cuh"

// Of two pairs of sums, the even lane of two neighbours gets both first pairs, and the odd one both second pairs.
__device__ __forceinline__ void exchange(float (&four)[4], const float *first, const float *second, bool odd)
{
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const float other = __shfl_xor_sync(0xffffffff, odd ? first[i] : second[i], 1);
        four[i] = odd ? other : first[i];
        four[2 + i] = odd ? second[i] : other;
    }
}

// Tiles of A and B. The box of B has 64 columns: 128 bytes are the widest that the copy engine permutes.
struct Stage {
    unsigned short a[TILE_ROWS][DEPTH], b[TILE_COLUMNS / 64][DEPTH][64];
};

extern "C" __global__ void __cluster_dims__(CLUSTER) __launch_bounds__(THREADS, 1)
gemm(int m, int n, int k, float alpha, const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b, float beta,
     float *c)
{
    extern __shared__ __align__(1024) Stage stages[];
    __shared__ Barrier full[STAGES], empty[STAGES];
    const int rank = blockIdx.x % CLUSTER, cluster = blockIdx.x / CLUSTER, clusters = gridDim.x / CLUSTER;
    const int rows = (m + CLUSTER * TILE_ROWS - 1) / (CLUSTER * TILE_ROWS), columns = (n + TILE_COLUMNS - 1) / TILE_COLUMNS;
    int top, left;
    const auto choose = [&](int tile) { // of C, of the whole cluster
        const int above = tile / (GROUP * columns) * GROUP, height = min(rows - above, GROUP);
        top = ((above + tile % (GROUP * columns) % height) * CLUSTER + rank) * TILE_ROWS;
        left = tile % (GROUP * columns) / height * TILE_COLUMNS;
    };

    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            begin(&full[stage], 1);
            begin(&empty[stage], 8 * CLUSTER); // warps that multiply
        }
        show_barriers();
    }
    meet(); // the barriers of both blocks have begun
    if (threadIdx.x < 128) {
        give_registers<40>();
        int i = 0; // tiles of A and B so far
        for (int tile = cluster; threadIdx.x == 0 && tile < rows * columns; tile += clusters) {
            choose(tile);
            for (int first = 0; first < k; first += DEPTH, i++) {
                Stage &to = stages[i % STAGES];
                Barrier *const barrier = &full[i % STAGES];
                wait(&empty[i % STAGES], i / STAGES % 2 ^ 1); // in both blocks
                announce(barrier, sizeof(Stage));
                copy_box(to.a, a, first, top, barrier);
                for (int box = rank; box < TILE_COLUMNS / 64; box += CLUSTER) {
                    copy_box_to_all<CLUSTER>(to.b[box], b, left + box * 64, first, barrier);
                }
            }
        }
        meet();
        return;
    }
    take_registers<232>();
    const auto release = [&](int i) { // the stage of tiles i
        __syncwarp(); // all lanes have read it
        arrive_at(&empty[i % STAGES], threadIdx.x % 32, threadIdx.x % 32 < CLUSTER);
    };
    const int warpgroup = threadIdx.x / 128 - 1;
    int i = 0;
    for (int tile = cluster; tile < rows * columns; tile += clusters) {
        choose(tile);
        float sum[SUMS];
        for (int first = 0; first < k; first += DEPTH, i++) {
            const Stage &from = stages[i % STAGES];
            wait(&full[i % STAGES], i / STAGES % 2);
            // 64 rows of A, eight below eight; 64 columns of B, box beside box and eight rows below eight.
            const auto of_a = descriptor(address(from.a[warpgroup * 64]), 16, 1024);
            const auto of_b = descriptor(address(from.b), sizeof(from.b[0]), 1024);
            begin_products();
#pragma unroll
            for (int j = 0; j < DEPTH; j += 16) {
                multiply_bf16(sum, shifted(of_a, j * 2), shifted(of_b, j * 128), first > 0 || j > 0);
            }
            end_products();
            wait_for_products<1>();
            if (first > 0) {
                release(i - 1);
            }
        }
        wait_for_products<0>();
        release(i - 1);

        const int row = top + warpgroup * 64 + threadIdx.x % 128 / 32 * 16 + threadIdx.x % 32 / 4; // see warpgroups.cuh
        const bool odd = threadIdx.x % 2;
#pragma unroll
        for (int h = 0; h < 2; h++) {
#pragma unroll
            for (int j = 0; j < SUMS / 4; j += 2) { // of 16 columns, even lanes get four of the first eight
                float four[4];
                exchange(four, &sum[4 * j + 2 * h], &sum[4 * j + 4 + 2 * h], odd);
                const int column = left + (j + odd) * 8 + threadIdx.x % 4 / 2 * 4;
                if (row + h * 8 < m) {
                    store4(c + (row + h * 8) * n + column, n - column, n % 4 == 0, alpha, four, beta);
                }
            }
        }
    }
    meet(); // no block ends while the other may still arrive at its barriers
}
