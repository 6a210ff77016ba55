// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: pairs are divided over several GPUs, as in step 20: each meets its own groups with the half of the ring that follows.
// Why:     the fastest step for one GPU should be that for many; while positions travel, each GPU's own bodies meet on its tensor cores.
// Expect:  nearly as many times the speed as there are GPUs, with more bodies than in step 20: each GPU ends its work sooner.
//
// Limits: those of the parent; distances from the origin below 4000, and not above 1000 times the softening.

__constant__ int n;
__constant__ int begin, end; // this GPU's own bodies, in whole groups; the last may be padding
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

// The matrices of body `i`: those of moments; and its row and its column of the product that gives squared distances.
__device__ __forceinline__ void matrices(int i)
{
    const float4 p = body[i];
    prepare_distances(i, p);
    prepare_moments(i, p);
}

// Own bodies: no other GPU is needed.
extern "C" __global__ void prepare_own(int step)
{
    matrices(begin + threadIdx.x + blockIdx.x * blockDim.x); // as many threads as own bodies, in whole groups
}

// All others.
extern "C" __global__ void prepare(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x; // as many threads as bodies in whole groups
    if (i < begin || i >= end) {
        matrices(i);
    }
}

// Own groups meet those of their half of the ring that are own ones (`NEAR`), or those that are not.
template <bool NEAR> __device__ __forceinline__ void walk()
{
    const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = ((end - begin) / GROUP + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = begin / GROUP + blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    const int beyond = min(end / GROUP, groups); // the first group that is not own
    if (group >= beyond) {
        return;
    }
    const int furthest = distances(group, groups), inside = min(beyond - 1 - group, furthest); // the last own group it meets
    const int start = NEAR ? 0 : inside + 1, length = NEAR ? inside + 1 : furthest - inside;
    const int steps = (length + parts - 1) / parts; // of a part
    const int last = start + min((part + 1) * steps, length) - 1;
    int distance = start + part * steps;
    if (distance > last) {
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
    if (NEAR && distance == 0) {
        for (int tile = 0; tile < TILES; tile++) {
            float back[2];
            meet<true>(own, load(group * TILES + tile, lane), tile, lane, front, sum, back);
        }
        settle();
        distance++;
    }
    int first = around(group + distance, groups) * TILES; // its first tile
    Partners next = load(first, lane);
    for (int left = last - distance; left >= 0; left--) {
        const int after = first + TILES < groups * TILES ? first + TILES : 0;
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

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) near(int step)
{
    walk<true>();
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) force(int step)
{
    walk<false>();
}

// The sums, by now of all GPUs, become the accelerations of own bodies. All are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i >= begin && i < min(end, n)) {
            a = make_float4(a.x * mass_unit, a.y * mass_unit, a.z * mass_unit, 0.0f);
            accelerate(i, a, step);
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = begin + threadIdx.x + blockIdx.x * blockDim.x;
    if (i < min(end, n)) { // own bodies; the last block may be only partly used
        move(i);
    }
}
