// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each of several GPUs moves bodies of its own and knows the positions of all; they are gathered after each time step.
// Why:     more chips than one; the kernel is rewritten as two, the first of which needs no positions but the GPU's own.
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
            if (step > 0) { // the velocity was advanced with the old acceleration: correct it
                const float4 old = acceleration[i];
                float4 v = velocity[i];
                v.x += (ax - old.x) * dthf;
                v.y += (ay - old.y) * dthf;
                v.z += (az - old.z) * dthf;
                velocity[i] = v;
            }
            acceleration[i] = make_float4(ax, ay, az, 0.0f);
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = begin + threadIdx.x + blockIdx.x * blockDim.x;
    if (i < min(end, n)) { // own bodies; the last block may be only partly used
        const float4 a = acceleration[i];
        float4 p = body[i], v = velocity[i];
        const float vhx = v.x + a.x * dthf; // half a time step on
        const float vhy = v.y + a.y * dthf;
        const float vhz = v.z + a.z * dthf;
        p.x += vhx * dtime;
        p.y += vhy * dtime;
        p.z += vhz * dtime;
        v.x = vhx + a.x * dthf;
        v.y = vhy + a.y * dthf;
        v.z = vhz + a.z * dthf;
        body[i] = p;
        velocity[i] = v;
    }
}
