// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: no tiles: every thread reads every body itself, by a read-only load that has the same address in all lanes.
// Why:     such a load is one request for the whole warp, and L1 keeps what it brings: no shared memory, no barriers, no copies.
// Expect:  a loss, the greater the fewer warps run to hide it: L1 answers later than shared memory. (Constant memory answers one
//          address for all lanes at once too, but holds 4096 bodies only, and would have to be filled in each time step.)

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

extern "C" __global__ void force(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const float4 p = body[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
#pragma unroll 8
    for (int j = 0; j < n; j++) {
        const float4 q = __ldg(&body[j]); // one body for all lanes
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
