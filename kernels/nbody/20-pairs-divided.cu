// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: pairs are divided over several GPUs: each meets its own groups with the half of the ring that follows.
// Why:     each pair is still computed once, on one GPU; partners' sums go to the GPU that owns them. The first kernel needs own positions only.
// Expect:  nearly as many times the speed as there are GPUs; two exchanges of 16 bytes a body each time step, of which one is hidden.

__constant__ int n;
__constant__ int begin, end; // this GPU's own bodies, in whole groups; the last may be padding
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations so far; zero between evaluations

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define BODIES 8 // of a lane
#define GROUP (WARP * BODIES) // bodies of a warp
#define ALL 0xffffffff // lanes
#ifndef UNROLL
#define UNROLL 8 // times the loop over turns
#endif

#include "advance.cuh"
#include "ring.cuh"

// What `q` does to `p` and what `p` does to `q`; the latter with the other sign.
struct Pair {
    float dx, dy, dz, cube;
};

__device__ __forceinline__ Pair meet(float4 p, float4 q)
{
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
    const float dinv = rsqrtf(dsq); // inverse softened distance
    const Pair pair = {dx, dy, dz, dinv * dinv * dinv};
    return pair;
}

__device__ __forceinline__ void add(int i, float x, float y, float z)
{
    atomicAdd(&sums[i].x, x);
    atomicAdd(&sums[i].y, y);
    atomicAdd(&sums[i].z, z);
}

// Own groups meet those of their half of the ring that are own ones (`NEAR`), or those that are not.
template <bool NEAR> __device__ __forceinline__ void walk()
{
    __shared__ float4 tiles[WARPS][2 * WARP]; // each warp's own, twice: no turn wraps around
    const int lane = threadIdx.x % WARP;
    float4 *tile = tiles[threadIdx.x / WARP];
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = ((end - begin) / GROUP + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = begin / GROUP + blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    const int after = min(end / GROUP, groups); // the first group that is not own
    if (group >= after) {
        return;
    }
    const int furthest = distances(group, groups), own = min(after - 1 - group, furthest); // the last own group it meets
    const int start = NEAR ? 0 : own + 1, length = NEAR ? own + 1 : furthest - own;
    const int steps = (length + parts - 1) / parts; // of a part
    const int first = start + part * steps, last = start + min((part + 1) * steps, length) - 1;
    if (first > last) {
        return;
    }
    float4 p[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        p[b] = body[group * GROUP + b * WARP + lane];
        ax[b] = ay[b] = az[b] = 0.0f;
    }
    for (int distance = first; distance <= last; distance++) {
        const int other = group + distance < groups ? group + distance : group + distance - groups;
        for (int j = other * GROUP; j < (other + 1) * GROUP; j += WARP) {
            __syncwarp(); // nobody reads the last tile any more
            tile[lane] = tile[lane + WARP] = body[j + lane];
            __syncwarp(); // the tile is complete
            if (NEAR && distance == 0) { // its own group: both bodies of a pair are here, so each counts for itself
                for (int turn = 0; turn < WARP; turn++) {
                    const float4 q = tile[turn];
#pragma unroll
                    for (int b = 0; b < BODIES; b++) {
                        const Pair pair = meet(p[b], q);
                        const float scale = pair.cube * q.w;
                        ax[b] += pair.dx * scale;
                        ay[b] += pair.dy * scale;
                        az[b] += pair.dz * scale;
                    }
                }
                continue;
            }
            float bx = 0.0f, by = 0.0f, bz = 0.0f; // of the partner that is with this lane
#pragma unroll UNROLL
            for (int turn = 0; turn < WARP; turn++) {
                const float4 q = tile[lane + turn];
#pragma unroll
                for (int b = 0; b < BODIES; b++) {
                    const Pair pair = meet(p[b], q);
                    const float scale = pair.cube * q.w, back = pair.cube * p[b].w;
                    ax[b] += pair.dx * scale;
                    ay[b] += pair.dy * scale;
                    az[b] += pair.dz * scale;
                    bx -= pair.dx * back;
                    by -= pair.dy * back;
                    bz -= pair.dz * back;
                }
                bx = __shfl_sync(ALL, bx, lane + 1); // the partner goes on to the lane before
                by = __shfl_sync(ALL, by, lane + 1);
                bz = __shfl_sync(ALL, bz, lane + 1);
            }
            add(j + lane, bx, by, bz); // after 32 turns each lane has its first partner again
        }
    }
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        add(group * GROUP + b * WARP + lane, ax[b], ay[b], az[b]);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 640 / THREADS) near(int step)
{
    walk<true>();
}

extern "C" __global__ void __launch_bounds__(THREADS, 640 / THREADS) force(int step)
{
    walk<false>();
}

// The sums become the accelerations, and are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        const float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i >= begin && i < min(end, n)) { // own bodies, for which the sums of all GPUs are here
            accelerate(i, make_float4(a.x, a.y, a.z, 0.0f), step);
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
