// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each of several GPUs moves bodies of its own and knows the positions of all; they are gathered after each time step.
// Why:     more chips than one; of two kernels the first needs no positions but the GPU's own.
// Expect:  nearly as many times the speed as there are GPUs, where each has enough to do while positions travel.

__constant__ int n;
__constant__ int begin, end; // this GPU's own bodies; the last may be padding
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations by own bodies

#define WARP 32  // threads of a warp; a block is one warp
#define BODIES 2 // of a warp
#define ALL 0xffffffff // lanes
#ifndef UNROLL
#define UNROLL 8 // times the loop over partners
#endif

#include "advance.cuh"

// Adds what bodies from `from` to `to` do to `p`.
__device__ __forceinline__ void pull(const float4 (&p)[BODIES], float3 (&a)[BODIES], int from, int to)
{
#pragma unroll UNROLL
    for (int j = from + (int)threadIdx.x; j < to; j += WARP) {
        const float4 q = body[j];
#pragma unroll
        for (int b = 0; b < BODIES; b++) {
            const float dx = q.x - p[b].x;
            const float dy = q.y - p[b].y;
            const float dz = q.z - p[b].z;
            const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
            const float dinv = rsqrtf(dsq); // inverse softened distance
            const float scale = q.w * dinv * dinv * dinv;
            a[b].x += dx * scale;
            a[b].y += dy * scale;
            a[b].z += dz * scale;
        }
    }
}

// The sum over the lanes, in each of them.
__device__ __forceinline__ float3 total(float3 a)
{
#pragma unroll
    for (int other = WARP / 2; other > 0; other /= 2) { // halve the number of sums, five times
        a.x += __shfl_xor_sync(ALL, a.x, other);
        a.y += __shfl_xor_sync(ALL, a.y, other);
        a.z += __shfl_xor_sync(ALL, a.z, other);
    }
    return a;
}

// Own bodies on own bodies: no other GPU is needed.
extern "C" __global__ void __launch_bounds__(WARP) near(int step)
{
    const int first = begin + blockIdx.x * BODIES;
    const float4 p[BODIES] = {body[first], body[first + 1]};
    float3 a[BODIES] = {};
    pull(p, a, begin, min(end, n));
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        const float3 sum = total(a[b]);
        if (threadIdx.x == b) { // a lane for each body
            sums[first + b] = make_float4(sum.x, sum.y, sum.z, 0.0f);
        }
    }
}

// All others on own bodies.
extern "C" __global__ void __launch_bounds__(WARP) force(int step)
{
    const int first = begin + blockIdx.x * BODIES;
    const float4 p[BODIES] = {body[first], body[first + 1]};
    float3 a[BODIES] = {};
    pull(p, a, 0, min(begin, n));
    pull(p, a, end, n);
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        const float3 sum = total(a[b]);
        const int i = first + b;
        if (threadIdx.x == b && i < n) { // a lane for each body
            const float4 own = sums[i];
            const float ax = own.x + sum.x, ay = own.y + sum.y, az = own.z + sum.z;
            accelerate(i, make_float4(ax, ay, az, 0.0f), step);
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
