// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: position and mass of a body are one float4; velocity and acceleration too.
// Why:     one load of 16 bytes brings what took four of 4: fewer instructions per tile and body.
// Expect:  little at many bodies, where tiles are read from shared memory 256 times each; more at few.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

#define THREADS 256 // of a block; also the bodies of a tile

extern "C" __global__ void force(int step)
{
    __shared__ float4 tile[THREADS];
    const int tid = threadIdx.x;
    const int i = tid + blockIdx.x * blockDim.x;
    const float4 p = body[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j1 = 0; j1 < n; j1 += THREADS) {
        tile[tid] = body[j1 + tid]; // each thread brings one body of the tile
        __syncthreads(); // the tile is complete
#pragma unroll 8
        for (int j2 = 0; j2 < THREADS; j2++) {
            const float4 q = tile[j2];
            const float dx = q.x - p.x;
            const float dy = q.y - p.y;
            const float dz = q.z - p.z;
            const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
            const float dinv = rsqrtf(dsq); // inverse softened distance
            const float scale = q.w * dinv * dinv * dinv;
            ax += dx * scale;
            ay += dy * scale;
            az += dz * scale;
        }
        __syncthreads(); // nobody reads the tile any more
    }
    if (i < n) {
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
