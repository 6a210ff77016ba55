// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: teams of blocks take long rows in turn, in the place of clusters. They find the moments of the next row, then store this one.
// Why:     a cluster stores nothing while its blocks wait for each other, and clusters leave multiprocessors without work.
// Expect:  nine tenths of the speed of a copy. Weights and bias stay in registers, and rows come to shared memory two turns ahead.

#include "block.cuh"
#include "moments.cuh"
#include "pieces.cuh"
#include "fours.cuh"
#include "long.cuh"
#include "registers.cuh"
#include "short.cuh"
#include "copies.cuh"
#include "teams.cuh"

#define TURNS 3 // rows in shared memory: one is stored, one is summed, and one is on its way

// Each block has `4 * PIECES * blockDim.x` elements of its team's rows. `parts` has means and squares of each member, for `TURNS` rows.
// A member tells those of a row when it has those of the row before from all, so that nobody still reads what it writes over.
extern "C" __global__ void __launch_bounds__(THREADS, 1) norms_teams(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y, volatile Told *parts)
{
    extern __shared__ float4 ring[];
    __shared__ float sums[32], squares[32]; // of each warp
    const int share = 4 * PIECES * blockDim.x, size = (columns + share - 1) / share, teams = gridDim.x / size;
    const int team = blockIdx.x / size, member = blockIdx.x % size, start = member * share, lane = threadIdx.x % 32;
    if (team >= teams) {
        return;
    }
    parts += team * size * TURNS * 2;
    // Places of this thread alone, which copies and reads them.
    const auto place = [&](int turn, int i) { return ring + (turn % TURNS * PIECES + i) * blockDim.x + threadIdx.x; };
    const auto fetch = [&](int turn) {
        const int row = team + turn * teams;
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            copy4(place(turn, i), x + (size_t)row * columns, of_warp_from(start + 4 * i * blockDim.x), row < rows ? columns : 0);
        }
        end_group();
    };
    // Elements that rows do not have are 0.
    for (int i = 0; i < TURNS * PIECES; i++) {
#pragma unroll 1
        for (int j = held(of_warp_from(start + 4 * (i % PIECES) * blockDim.x), columns); j < 4; j++) {
            ((float *)place(0, i))[j] = 0.0f;
        }
    }
    for (int turn = 0; turn < TURNS; turn++) {
        fetch(turn);
    }
    float4 by[PIECES], to[PIECES];
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
        by[i] = load4(weight, of_warp_from(start + 4 * i * blockDim.x), columns);
        to[i] = load4(bias, of_warp_from(start + 4 * i * blockDim.x), columns);
    }
    // Finds the moments of this block's part of a row, and tells the team.
    const auto mean_and_squares = [&](int turn) {
        wait_for_copies();
        float sum = 0.0f, apart = 0.0f;
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            sum += sum4(*place(turn, i));
        }
        const float mean = sum_block(sum, sums) / min(share, columns - start);
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            apart += squares4(apart4(*place(turn, i), mean, held(of_warp_from(start + 4 * i * blockDim.x), columns)));
        }
        return make_float2(mean, sum_block(apart, squares));
    };
    const auto tell_team = [&](int turn, float2 own) {
        if (threadIdx.x < 2) {
            tell(parts + (turn % TURNS * size + member) * 2 + threadIdx.x, turn + 1, threadIdx.x == 0 ? own.x : own.y);
        }
    };
    if (team < rows) {
        tell_team(0, mean_and_squares(0));
    }
    for (int turn = 0, row = team; row < rows; turn++, row += teams) {
        const bool is_last = row + teams >= rows;
        const float2 next = is_last ? make_float2(0.0f, 0.0f) : mean_and_squares(turn + 1);
        Moments all = {0.0f, 0.0f, 0.0f};
        if (lane < size) {
            const volatile Told *const of_member = parts + (turn % TURNS * size + lane) * 2;
            all = {(float)min(share, columns - lane * share), told(of_member, turn + 1), told(of_member + 1, turn + 1)};
        }
        all = merge_lanes(all);
        if (!is_last) {
            tell_team(turn + 1, next);
        }
        const float scale = rsqrtf(all.squares / columns + epsilon);
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            const float4 apart = apart4(*place(turn, i), all.mean, 4);
            store4(y + (size_t)row * columns, of_warp_from(start + 4 * i * blockDim.x), columns, results4(apart, scale, by[i], to[i]));
        }
        fetch(turn + TURNS);
    }
}
