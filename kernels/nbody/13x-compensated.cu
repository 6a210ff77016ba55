// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each sum has a second number, what rounding took from it, and gives it back with the next term (Kahan).
// Why:     a term far smaller than the sum loses most of its bits; kept, they add up.
// Expect:  errors of the terms only, and those average out. It takes three more additions for each sum: 21 operations and a root,
//          not 12 and a root. (Fast math leaves the order of additions alone, or the lost part would be 0.)

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

#define WARP 32
#define THREADS 32 // of a block: one warp, which waits for no other
#define BODIES 2   // of a warp
#ifndef UNROLL
#define UNROLL 8 // times the loop over partners
#endif

struct Sum {
    float high, low; // `low` is what rounding took from `high`
};

// Adds a * b, which is not greater than the sum for long.
__device__ __forceinline__ void add(Sum &sum, float a, float b)
{
    const float term = a * b + sum.low;
    const float total = sum.high + term;
    sum.low = term - (total - sum.high);
    sum.high = total;
}

// The sum of this lane and of another, whichever is greater.
__device__ __forceinline__ Sum together(Sum sum, int lanes)
{
    const float other = __shfl_xor_sync(0xffffffff, sum.high, lanes);
    const float low = sum.low + __shfl_xor_sync(0xffffffff, sum.low, lanes);
    const float total = sum.high + other;
    const float of_other = total - sum.high; // as far as it got into the total
    const Sum both = {total, low + (sum.high - (total - of_other) + (other - of_other))};
    return both;
}

extern "C" __global__ void __launch_bounds__(THREADS) force(int step)
{
    const int lane = threadIdx.x % WARP;
    const int first = (threadIdx.x + blockIdx.x * blockDim.x) / WARP * BODIES;
    float4 p[BODIES];
    Sum x[BODIES], y[BODIES], z[BODIES];
    const Sum none = {0.0f, 0.0f};
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        p[b] = body[first + b];
        x[b] = y[b] = z[b] = none;
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
            add(x[b], dx, scale);
            add(y[b], dy, scale);
            add(z[b], dz, scale);
        }
    }
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
#pragma unroll
        for (int other = WARP / 2; other > 0; other /= 2) { // halve the number of sums, five times
            x[b] = together(x[b], other);
            y[b] = together(y[b], other);
            z[b] = together(z[b], other);
        }
        const float ax = x[b].high + x[b].low, ay = y[b].high + y[b].low, az = z[b].high + z[b].low;
        const int i = first + b;
        if (lane == b && i < n) { // a lane for each body
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
