// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one launch makes all time steps: where a launch ended before, all blocks of the grid meet.
// Why:     with few bodies a launch takes about as long as what it does, and a time step has two; meetings may be cheaper.
// Expect:  little: launches queue up while the GPU works, and a meeting takes a fetch-and-add of each block, a wait, and reads past L1.
//          A block must not wait for one that cannot begin before it ends: there is one block for each multiprocessor, launched
//          cooperatively, and its warps take bodies in turn.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

__constant__ unsigned *meeting; // its top bit changes whenever all blocks have met

#define WARP 32
#define THREADS 1024 // of a block that makes all time steps
#define WARPS (THREADS / WARP)
#define BODIES 2 // of a warp at a time
#define TOP_BIT 0x80000000
#ifndef UNROLL
#define UNROLL 8 // times the loop over partners: more would take more registers than blocks of 1024 threads leave
#endif

// The accelerations of two bodies, by a warp.
__device__ __forceinline__ void accelerate(int first, int step)
{
    const int lane = threadIdx.x % WARP;
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

__device__ __forceinline__ void move(int i)
{
    if (i < n) { // the last warp may be only partly used
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

// Waits for all blocks of the grid: what any of them wrote before, all see after.
__device__ void meet()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        // All blocks together add 2^31, so the lower bits are 0 again when the last has come.
        const unsigned share = blockIdx.x == 0 ? TOP_BIT - (gridDim.x - 1) : 1;
        const unsigned before = atomicAdd(meeting, share);
        while (((before ^ *(volatile unsigned *)meeting) & TOP_BIT) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}

extern "C" __global__ void __launch_bounds__(THREADS) run(int step, int steps)
{
    const int warp = threadIdx.x / WARP * gridDim.x + blockIdx.x; // few bodies are spread over all blocks
    for (const int end = step + steps; step < end; step++) {
        for (int first = warp * BODIES; first < n; first += WARPS * gridDim.x * BODIES) {
            accelerate(first, step);
        }
        meet(); // nobody needs the positions any more
        for (int i = warp * WARP; i < n; i += WARPS * gridDim.x * WARP) {
            move(i + threadIdx.x % WARP);
        }
        meet(); // all positions are new
    }
}

extern "C" __global__ void __launch_bounds__(WARP) force(int step)
{
    accelerate(blockIdx.x * BODIES, step);
}

extern "C" __global__ void advance()
{
    move(threadIdx.x + blockIdx.x * blockDim.x);
}
