// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: teams of blocks take long rows in turn, in the place of clusters. They sum the row after the next before they store one.
// Why:     a cluster stores nothing while its blocks wait for each other, and clusters leave multiprocessors without work.
// Expect:  nearly nine tenths of the speed of a copy. The copy engine brings rows and stores them; weights and bias stay in registers.

#include "block.cuh"
#include "moments.cuh"
#include "pieces.cuh"
#include "fours.cuh"
#include "long.cuh"
#include "registers.cuh"
#include "short.cuh"
#include "clusters.cuh"
#include "bulk.cuh"
#include "team.cuh"

#define TEAM_THREADS 128 // of a block
#define TEAM_PIECES 8 // of four elements, for a thread
#define SHARE (4 * TEAM_PIECES * TEAM_THREADS) // elements of a row, for a block
#define RING 4 // rows in shared memory: one is stored, two are summed or wait for the team, and one is on its way
#define AHEAD 2 // a row is summed so many turns before it is stored
#define KEPT 8 // turns whose moments are kept: a block may be some turns ahead of another, which still reads

// Rows are whole pieces. `told` has the mean and the squares of each member for `KEPT` turns, and is 0 at first.
extern "C" __global__ void __launch_bounds__(TEAM_THREADS, 3) norms_teams(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y, volatile Told *told)
{
    extern __shared__ __align__(128) float4 ring[];
    __shared__ Barrier arrived[RING];
    __shared__ float sums[32], squares[32]; // of each warp
    const int size = (columns + SHARE - 1) / SHARE, teams = gridDim.x / size;
    const int team = blockIdx.x / size, member = blockIdx.x % size, lane = threadIdx.x % 32;
    const int start = member * SHARE, count = min(SHARE, columns - start);
    told += team * KEPT * size * 2;
    const auto is_held = [&](int i) { return 4 * (i * TEAM_THREADS + threadIdx.x) < count; };
    const auto place = [&](int turn, int i) { return ring + (turn % RING * TEAM_PIECES + i) * TEAM_THREADS + threadIdx.x; };
    const auto fetch = [&](int turn) {
        const int row = team + turn * teams;
        if (threadIdx.x == 0 && row < rows) {
            load(place(turn, 0), x + (size_t)row * columns + start, 4 * count, &arrived[turn % RING]);
        }
    };
    if (threadIdx.x == 0) {
        for (int turn = 0; turn < RING; turn++) {
            begin(&arrived[turn]);
        }
    }
    for (int turn = 0; turn < RING; turn++) {
        fetch(turn);
    }
    __syncthreads(); // all see the barriers
    float4 by[TEAM_PIECES], to[TEAM_PIECES];
#pragma unroll
    for (int i = 0; i < TEAM_PIECES; i++) {
        if (is_held(i)) {
            by[i] = ((const float4 *)(weight + start))[i * TEAM_THREADS + threadIdx.x];
            to[i] = ((const float4 *)(bias + start))[i * TEAM_THREADS + threadIdx.x];
        }
    }
    // Finds the moments of this block's part of a row, and tells the team.
    const auto sum = [&](int turn) {
        if (team + turn * teams >= rows) {
            return;
        }
        wait(&arrived[turn % RING], turn / RING % 2);
        float sum = 0.0f, apart = 0.0f;
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            sum += is_held(i) ? sum4(*place(turn, i)) : 0.0f;
        }
        const float mean = sum_block(sum, sums) / count;
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            apart += is_held(i) ? squares4(apart4(*place(turn, i), mean, 4)) : 0.0f;
        }
        apart = sum_block(apart, squares);
        if (threadIdx.x < 2) {
            publish(told + (turn % KEPT * size + member) * 2 + threadIdx.x, turn + 1, threadIdx.x == 0 ? mean : apart);
        }
    };
    for (int turn = 0; turn < AHEAD; turn++) {
        sum(turn);
    }
    for (int turn = 0, row = team; row < rows; turn++, row += teams) {
        // Asked for now, needed after the sum.
        const volatile Told *const of_member = told + (turn % KEPT * size + min(lane, size - 1)) * 2;
        const Told mean = of_member[0], spread = of_member[1];
        sum(turn + AHEAD);
        Moments all = {0.0f, 0.0f, 0.0f};
        if (lane < size) {
            const float held = min(SHARE, columns - lane * SHARE);
            all = {held, published(of_member, mean, turn + 1), published(of_member + 1, spread, turn + 1)};
        }
        all = merge_lanes(all);
        const float scale = rsqrtf(all.squares / columns + epsilon);
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            if (is_held(i)) {
                *place(turn, i) = results4(apart4(*place(turn, i), all.mean, 4), scale, by[i], to[i]);
            }
        }
        show();
        __syncthreads(); // all results are there
        if (threadIdx.x == 0) {
            store(y + (size_t)row * columns + start, place(turn, 0), 4 * count);
        }
        fetch(turn + RING); // into the place of this row
    }
}
