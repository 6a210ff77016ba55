// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: both steps in one sweep: the middle one of three planes takes its first step, and one plane later its second one.
// Why:     each point is read from memory and written once for both steps.
// Expect:  more than a copy for each step allows. Blocks overlap by two points on each side, so a quarter of the points is computed
//          by more than one block. A thread has four rows.

#include "point.cuh"

#define DEPTH 64       // planes of a block
#define TILE 32        // edge of its part of a plane, and lanes
#define OUT (TILE - 4) // edge of what is right after both steps
#define ROWS 4         // of a thread
#define STRIPS (TILE / ROWS)

// The first and the last row of each warp's part of a plane, which other warps need.
typedef float Ends[STRIPS][2][TILE];

__device__ __forceinline__ void store_ends(Ends &ends, const float (&here)[ROWS])
{
    ends[threadIdx.y][0][threadIdx.x] = here[0];
    ends[threadIdx.y][1][threadIdx.x] = here[ROWS - 1];
}

// The sums of the neighbours that a thread's points have in their plane. On the edge of the tile they are of no use.
__device__ __forceinline__ void add_sides(const Ends &ends, const float (&here)[ROWS], float (&sum)[ROWS])
{
    const int strip = threadIdx.y, column = threadIdx.x;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const float before = r > 0 ? here[r - 1] : ends[max(strip - 1, 0)][1][column];
        const float after = r < ROWS - 1 ? here[r + 1] : ends[min(strip + 1, STRIPS - 1)][0][column];
        sum[r] = __shfl_up_sync(0xffffffff, here[r], 1) + __shfl_down_sync(0xffffffff, here[r], 1) + before + after;
    }
}

extern "C" __global__ void __launch_bounds__(TILE *TILE / ROWS)
    advance(int nx, int ny, int nz, const float *from, float *to)
{
    __shared__ Ends start[2], once[2]; // one is stored while the other one may still be read
    const int column = threadIdx.x, row = threadIdx.y * ROWS; // in the tile
    const int x = column - 2 + blockIdx.x * OUT, y = row - 2 + blockIdx.y * OUT;
    const int plane = nx * ny, first = blockIdx.z * DEPTH, end = min(first + DEPTH, nz);
    bool is_inside[ROWS], has_sides[ROWS], is_out[ROWS];
    float below[ROWS], here[ROWS], once_below[ROWS], once_here[ROWS]; // after one step, a plane behind
    int i = x + nx * y + plane * (first - 1);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        is_inside[r] = x >= 0 && x < nx && y + r >= 0 && y + r < ny;
        has_sides[r] = x > 0 && x < nx - 1 && y + r > 0 && y + r < ny - 1;
        is_out[r] = is_inside[r] && column >= 2 && column < TILE - 2 && row + r >= 2 && row + r < TILE - 2;
        below[r] = is_inside[r] && first > 1 ? from[i + nx * r - plane] : 0.0f;
        here[r] = is_inside[r] && first > 0 ? from[i + nx * r] : 0.0f;
        once_below[r] = once_here[r] = 0.0f;
    }
#pragma unroll 2
    for (int z = first - 1; z <= end; z++, i += plane) {
        float above[ROWS], sum[ROWS], sum_once[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            above[r] = is_inside[r] && z + 1 < nz ? from[i + nx * r + plane] : 0.0f;
        }
        store_ends(start[z & 1], here);
        store_ends(once[z & 1], once_here);
        __syncthreads(); // the ends of both planes are there
        add_sides(start[z & 1], here, sum);
        add_sides(once[z & 1], once_here, sum_once);
        const bool is_between = z > 0 && z < nz - 1, was_between = z > 1 && z < nz;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float once_above = is_between && has_sides[r] ? next(here[r], sum[r] + below[r] + above[r]) : here[r];
            const float twice = next(once_here[r], sum_once[r] + once_below[r] + once_above);
            if (z > first && is_out[r]) {
                to[i + nx * r - plane] = was_between && has_sides[r] ? twice : once_here[r];
            }
            below[r] = here[r];
            here[r] = above[r];
            once_below[r] = once_here[r];
            once_here[r] = once_above;
        }
    }
}
