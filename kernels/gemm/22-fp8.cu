// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: elements of A and B have eight bits (e4m3), B lies column by column, and blocks form clusters as in 21x.
// Why:     the tensor cores multiply twice as many of them at once, and a tile of as many bytes has twice as many terms.
// Expect:  almost twice as fast, with results of three digits.

#define TILE_ROWS 128 // of a block
#define TILE_COLUMNS 256
#define DEPTH 128 // columns of a tile of A, rows of one of B: 128 bytes
#define THREADS 384 // the first 128 copy, each 128 of the others have 64 rows
#define CLUSTER 2 // blocks below each other
#define STAGES 4 // tiles in shared memory
#define GROUP 8 // rows of tiles that blocks of neighbouring numbers compute together: they share columns of B in L2

#include "result.cuh"
#include "tensor-maps.cuh"
#include "clusters.cuh"
#include "warpgroups.cuh"
#include "warpgroups8.cuh"

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

// Tiles of A and B, of which columns are rows here.
struct Stage {
    unsigned char a[TILE_ROWS][DEPTH], b[TILE_COLUMNS][DEPTH];
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
                const int half = rank * (TILE_COLUMNS / CLUSTER);
                copy_box_to_all<CLUSTER>(to.b[half], b, first, left + half, barrier);
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
            // 64 rows of A, and 256 columns of B, eight below eight.
            const auto of_a = descriptor(address(from.a[warpgroup * 64]), 16, 1024);
            const auto of_b = descriptor(address(from.b), 16, 1024);
            begin_products();
#pragma unroll
            for (int j = 0; j < DEPTH; j += 32) {
                multiply_fp8(sum, shifted(of_a, j), shifted(of_b, j), first > 0 || j > 0);
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
