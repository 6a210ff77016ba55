// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a warp computes the accelerations of two bodies, each lane those by every 32nd partner.
// Why:     n threads are too few for a chip that wants a hundred thousand: now there are 16 n, without shared memory or barriers.
// Expect:  many times faster at a few thousand bodies; no less at many. Sums are 32 times shorter, so rounding errors shrink as well.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

#define WARP 32
#define THREADS 32 // of a block: one warp, which waits for no other
#define BODIES 2   // of a warp
#ifndef UNROLL
#define UNROLL 8 // times the loop over partners
#endif

extern "C" __global__ void __launch_bounds__(THREADS) force(int step)
{
    const int lane = threadIdx.x % WARP;
    const int first = (threadIdx.x + blockIdx.x * blockDim.x) / WARP * BODIES;
    float4 p[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        p[b] = body[first + b];
        ax[b] = ay[b] = az[b] = 0.0f;
    }
#pragma unroll UNROLL
    for (int j = lane; j < n; j += WARP) {
        const float4 q = body[j];
#pragma unroll
        for (int b = 0; b < BODIES; b++) {
            const float dx = q.x - p[b].x;
            const float dy = q.y - p[b].y;
            const float dz = q.z - p[b].z;
            const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
            const float dinv = rsqrtf(dsq); // inverse softened distance
            const float scale = q.w * dinv * dinv * dinv;
            ax[b] += dx * scale;
            ay[b] += dy * scale;
            az[b] += dz * scale;
        }
    }
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
#pragma unroll
        for (int other = WARP / 2; other > 0; other /= 2) { // halve the number of sums, five times
            ax[b] += __shfl_xor_sync(0xffffffff, ax[b], other);
            ay[b] += __shfl_xor_sync(0xffffffff, ay[b], other);
            az[b] += __shfl_xor_sync(0xffffffff, az[b], other);
        }
        const int i = first + b;
        if (lane == b && i < n) { // a lane for each body
            if (step > 0) { // the velocity was advanced with the old acceleration: correct it
                const float4 old = acceleration[i];
                float4 v = velocity[i];
                v.x += (ax[b] - old.x) * dthf;
                v.y += (ay[b] - old.y) * dthf;
                v.z += (az[b] - old.z) * dthf;
                velocity[i] = v;
            }
            acceleration[i] = make_float4(ax[b], ay[b], az[b], 0.0f);
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
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
