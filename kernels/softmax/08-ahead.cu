// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the next row comes to shared memory by asynchronous copies, from the moment on when this row is in registers. Blocks are smaller.
// Why:     so loads are under way all the time. Four small blocks of a multiprocessor wait at different times, two large ones together.
// Expect:  a tenth faster for rows of more than 32768 elements: more than eight tenths of the speed of a copy.

#include "block.cuh"
#include "online.cuh"
#include "pieces.cuh"
#include "long.cuh"
#include "registers.cuh"
#include "short.cuh"
#include "copies.cuh"

#define TEAM_THREADS 256 // of a block
#define TEAM_PIECES 8 // of four elements, for a thread
#define SHARE (4 * TEAM_PIECES * TEAM_THREADS) // elements of a row, for a block

// What a block has found of its part of a row, in two places in turn: a block may be a row ahead of another.
struct Part {
    float most, sum;
};

// `arrived` counts the parts of each team, from 0. Blocks that no team needs have no work.
extern "C" __global__ void __launch_bounds__(TEAM_THREADS, 4)
softmax_teams(int rows, int columns, const float *x, float *y, volatile Part *parts, unsigned *arrived)
{
    const int size = (columns + SHARE - 1) / SHARE, teams = gridDim.x / size;
    const int team = blockIdx.x / size, member = blockIdx.x % size;
    if (team >= teams) {
        return;
    }
    const int first = of_warp_from(member * SHARE);
    __shared__ float4 next[TEAM_PIECES][TEAM_THREADS]; // of the next row: each thread has its own
    const auto fetch = [&](int row) {
        if (row < rows) {
            copy_pieces<TEAM_PIECES>(&next[0][threadIdx.x], x + (size_t)row * columns, first, 4 * TEAM_THREADS, columns);
        }
    };
    const float none = __int_as_float(0xff800000); // minus infinity: what lies beyond the end of each row
#pragma unroll
    for (int i = 0; i < TEAM_PIECES; i++) {
        next[i][threadIdx.x] = make_float4(none, none, none, none);
    }
    fetch(team);
    unsigned expected = 0; // parts of the team
    for (int row = team, turn = 0; row < rows; row += teams, turn ^= 1) {
        float4 piece[TEAM_PIECES];
        float most = LEAST, sum = 0.0f;
        wait_for_copies(); // of this row
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            piece[i] = next[i][threadIdx.x];
            most = fmaxf(most, max4(piece[i]));
        }
        fetch(row + teams);
        most = of_block<Max>(most, LEAST);
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            piece[i] = exp4(piece[i], most);
            sum += sum4(piece[i]);
        }
        sum = of_block<Sum>(sum, 0.0f);
        volatile Part *const of_team = parts + 2 * team * size + turn * size;
        expected += size;
        if (threadIdx.x == 0) {
            of_team[member].most = most;
            of_team[member].sum = sum;
            __threadfence(); // the part comes before the count
            atomicAdd(arrived + team, 1);
            while (atomicAdd(arrived + team, 0) < expected) { // until all parts are there
            }
            __threadfence(); // and the count before the parts of others
        }
        __syncthreads(); // the team's parts are there
        const int other = threadIdx.x % 32; // a lane for each member, of which there are at most 32
        const float own = other < size ? of_team[other].most : LEAST;
        const float greatest = of_warp<Max>(own);
        const float all = of_warp<Sum>(other < size ? of_team[other].sum * expf(own - greatest) : 0.0f);
        const float scale = expf(most - greatest) / all;
#pragma unroll
        for (int i = 0; i < TEAM_PIECES; i++) {
            store4(y + (size_t)row * columns, first + 4 * i * TEAM_THREADS, columns, scale4(piece[i], scale));
        }
    }
}
