// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a first kernel finds the part of the list that a block has, and threads find their items in shared memory.
// Why:     neighbouring lanes load neighbouring elements, and few sums are added to y: a warp adds up those of a row in several lanes.
// Expect:  nearly the speed of reading the matrix, whatever its rows are. A block loads where its rows start, and computes its
//          products in shared memory.

#include "path.cuh"

#define THREADS 256             // of a block
#define ITEMS 7                // of a thread: odd, so that lanes read from different banks
#define TILE (THREADS * ITEMS) // items of a block

// The sums of lanes up to this one that have the same row, which ascends with the lanes.
__device__ __forceinline__ float sum_of_row(int row, float sum)
{
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffff, row, step);
        const float more = __shfl_up_sync(0xffffffff, sum, step);
        if (threadIdx.x % 32 >= step && other == row) {
            sum += more;
        }
    }
    return sum;
}

// Finds the first row of each block, and of the one that would come after the last.
extern "C" __global__ void divide(int blocks, int rows, int elements, const int *starts, int *first_rows)
{
    const int block = threadIdx.x + blockIdx.x * THREADS;
    if (block <= blocks) {
        first_rows[block] = ended_rows(min(block * TILE, rows + elements), rows, elements, starts + 1);
    }
}

extern "C" __global__ void spmv(
    int rows, int elements, const int *first_rows, const int *starts, const int *columns, const float *values, const float *x, float *y)
{
    __shared__ int own_starts[TILE + 1];
    __shared__ float products[TILE], sums[TILE]; // sums of the rows that end here
    const int from = blockIdx.x * TILE, to = min(from + TILE, rows + elements);
    const int first_row = first_rows[blockIdx.x], first = from - first_row;
    const int ended = first_rows[blockIdx.x + 1] - first_row, count = to - from - ended;
    for (int i = threadIdx.x; i <= ended; i += THREADS) {
        own_starts[i] = starts[first_row + i] - first;
    }
#pragma unroll // so that many loads are under way
    for (int i = threadIdx.x, item = 0; item < ITEMS; item++, i += THREADS) {
        if (i < count) {
            products[i] = values[first + i] * x[columns[first + i]];
        }
    }
    __syncthreads(); // starts and products are there

    const int start = min((int)threadIdx.x * ITEMS, to - from), items = min(ITEMS, to - from - start);
    int row = ended_rows(start, ended, count, own_starts + 1), i = start - row;
    float sum = 0.0f;
    for (int item = 0; item < items; item++) {
        if (row < ended && i == own_starts[row + 1]) {
            sums[row++] = sum;
            sum = 0.0f;
        } else {
            sum += products[i++];
        }
    }
    const int next = __shfl_down_sync(0xffffffff, row, 1);
    sum = sum_of_row(row, sum);
    __syncthreads(); // what threads have of rows that end in them is there
    if (i > own_starts[row] && (threadIdx.x % 32 == 31 || next != row)) { // it ends in another warp, or in the next lane
        atomicAdd(row < ended ? sums + row : y + first_row + row, sum);
    }
    __syncthreads(); // sums are complete, but for a first row that began in another block
    for (int i = threadIdx.x; i < ended; i += THREADS) {
        if (own_starts[i] >= 0) {
            y[first_row + i] = sums[i];
        } else {
            atomicAdd(y + first_row + i, sums[i]);
        }
    }
}
