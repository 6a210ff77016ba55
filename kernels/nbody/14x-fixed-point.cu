// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the sums in memory are whole numbers of 64 bits, in units of 2^-40.
// Why:     whole numbers may be added in any order: two runs give the same bits, whatever the chip does first.
// Expect:  the same speed or a little less: the atomic additions are few, but twice as wide.

struct Whole {
    long long x, y, z;
};

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ Whole *sums; // accelerations so far, in units of 1 / UNITS; zero between evaluations

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define BODIES 8 // of a lane
#define GROUP (WARP * BODIES) // bodies of a warp
#define ALL 0xffffffff // lanes
#ifndef UNROLL
#define UNROLL 8 // times the loop over turns
#endif
#define UNITS 1099511627776.0f // 2^40: the sums hold accelerations below 2^23

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

// Sums of whole numbers are the same in any order.
__device__ __forceinline__ void add(long long *sum, float x)
{
    atomicAdd((unsigned long long *)sum, (unsigned long long)__float2ll_rn(x * UNITS));
}

__device__ __forceinline__ void add(int i, float x, float y, float z)
{
    add(&sums[i].x, x);
    add(&sums[i].y, y);
    add(&sums[i].z, z);
}

extern "C" __global__ void __launch_bounds__(THREADS, 640 / THREADS) force(int step)
{
    __shared__ float4 tiles[WARPS][2 * WARP]; // each warp's own, twice: no turn wraps around
    const int lane = threadIdx.x % WARP;
    float4 *tile = tiles[threadIdx.x / WARP];
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = (groups + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    if (group >= groups) {
        return;
    }
    float4 p[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        p[b] = body[group * GROUP + b * WARP + lane];
        ax[b] = ay[b] = az[b] = 0.0f;
    }
    const int steps = (groups / 2 + 1 + parts - 1) / parts; // of a part, the one at distance 0 among them
    const int last = min((part + 1) * steps - 1, distances(group, groups));
    for (int distance = part * steps; distance <= last; distance++) {
        const int other = group + distance < groups ? group + distance : group + distance - groups;
        for (int j = other * GROUP; j < (other + 1) * GROUP; j += WARP) {
            __syncwarp(); // nobody reads the last tile any more
            tile[lane] = tile[lane + WARP] = body[j + lane];
            __syncwarp(); // the tile is complete
            if (distance == 0) { // its own group: both bodies of a pair are here, so each counts for itself
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

// The sums become the accelerations, and are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        const Whole sum = sums[i];
        const float4 a = make_float4((float)sum.x / UNITS, (float)sum.y / UNITS, (float)sum.z / UNITS, 0.0f);
        const Whole none = {0, 0, 0};
        sums[i] = none;
        if (i < n) {
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
