// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: squared distances are products of matrices, too: p p + q q + softening - 2 p q, of numbers split into halves.
// Why:     of each pair the usual pipes now do the root, the cube and the splitting of s; no subtraction and no square.
// Expect:  a third faster. Of close bodies the distance is a small difference of large numbers: errors grow where few bodies are.
//
// Limits: those of the parent; distances from the origin below 4000, and not above 1000 times the softening.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations so far, in units of `mass_unit`; zero between evaluations
__constant__ float mass_unit; // the greatest mass
__constant__ unsigned short *moments, *bodies, *partners; // of halves: see `prepare`

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define TILE 16 // bodies of a matrix
#define TILES 4 // of a group
#define GROUP (TILE * TILES) // bodies of a warp
#define ALL 0xffffffff // lanes
#ifndef FLUSH
#define FLUSH 1 // matrix products after which a sum leaves the tensor cores, which round towards zero: 1, 2 or 4
#endif

#include "advance.cuh"
#include "ring.cuh"
#include "distances.cuh"

// The matrices: those of moments, as in the parent; and for each body its row and its column of the product that gives squared distances.
extern "C" __global__ void prepare(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x; // as many threads as bodies in whole groups
    const float4 p = body[i];
    prepare_distances(i, p);
    prepare_moments(i, p);
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) force(int step)
{
    const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = (groups + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    if (group >= groups) {
        return;
    }
    const float *component = (const float *)body;
    float *total = (float *)sums;
    Own own[TILES];
    float p[TILES][2], a[TILES][2], sum[TILES][2] = {};
    float4 front[TILES];
#pragma unroll
    for (int row = 0; row < TILES; row++) {
        const int i = group * GROUP + row * TILE + g;
        own[row].moments = ((const uint2 *)moments)[(group * TILES + row) * WARP + lane];
        const uint2 upper = ((const uint2 *)bodies)[i * 4 + t], lower = ((const uint2 *)bodies)[(i + 8) * 4 + t];
        own[row].rows = make_uint4(upper.x, lower.x, upper.y, lower.y);
#pragma unroll
        for (int h = 0; h < 2; h++) {
            p[row][h] = component[4 * (i + 8 * h) + t];
            a[row][h] = 0.0f;
        }
    }
    const auto settle = [&]() {
#pragma unroll
        for (int row = 0; row < TILES; row++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                a[row][h] += relative(p[row][h], sum[row][h], lane);
                sum[row][h] = 0.0f;
            }
        }
    };
    const int steps = (groups / 2 + 1 + parts - 1) / parts; // of a part, the one at distance 0 among them
    const int last = min((part + 1) * steps - 1, distances(group, groups));
    int distance = part * steps;
    if (distance == 0) {
        for (int tile = 0; tile < TILES; tile++) {
            float back[2];
            meet<true>(own, load(group * TILES + tile, lane), tile, lane, front, sum, back);
        }
        settle();
        distance++;
    }
    int first = around(group + distance, groups) * TILES; // its first tile
    Partners next = load(first, lane);
    for (; distance <= last; distance++) {
        const int after = around(group + distance + 1, groups) * TILES;
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const int j = (first + tile) * TILE + g;
            const Partners partners = next;
            next = load(tile + 1 < TILES ? first + tile + 1 : after, lane); // early
            const float q[2] = {component[4 * j + t], component[4 * (j + 8) + t]};
            float back[2] = {};
            meet<false>(own, partners, tile, lane, front, sum, back);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                atomicAdd(&total[4 * (j + 8 * h) + t], relative(q[h], back[h], lane));
            }
        }
        settle();
        first = after;
    }
#pragma unroll
    for (int row = 0; row < TILES; row++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            atomicAdd(&total[4 * (group * GROUP + row * TILE + g + 8 * h) + t], a[row][h]);
        }
    }
}

// The sums become the accelerations, and are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i < n) {
            a = make_float4(a.x * mass_unit, a.y * mass_unit, a.z * mass_unit, 0.0f);
            accelerate(i, a, step);
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
        move(i);
    }
}
