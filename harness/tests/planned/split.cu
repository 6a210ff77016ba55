// SPDX-License-Identifier: MIT OR Apache-2.0
// Every sum is split over several blocks: `partial` computes the parts, `total` adds them, corrects the velocities and
// leaves zeros for the next time step.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration;
__constant__ float4 *sums; // of each part, body by body

#define PARTS 4

extern "C" __global__ void partial(int step)
{
    const int blocks = (n + blockDim.x - 1) / blockDim.x; // of a part
    const int part = blockIdx.x / blocks;
    const int i = threadIdx.x + blockIdx.x % blocks * blockDim.x;
    if (i >= n) return;
    const float4 p = body[i];
    float4 sum = sums[part * n + i]; // zeros
    for (int j = part; j < n; j += PARTS) {
        const float4 q = body[j];
        const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
        const float dinv = rsqrtf(dx * dx + (dy * dy + (dz * dz + epssq)));
        const float scale = q.w * dinv * dinv * dinv;
        sum.x += dx * scale;
        sum.y += dy * scale;
        sum.z += dz * scale;
    }
    sums[part * n + i] = sum;
}

extern "C" __global__ void total(int step)
{
    extern __shared__ float4 zeros[];
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    zeros[threadIdx.x] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (i >= n) return;
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int part = 0; part < PARTS; part++) {
        const float4 sum = sums[part * n + i];
        sums[part * n + i] = zeros[threadIdx.x];
        ax += sum.x;
        ay += sum.y;
        az += sum.z;
    }
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

extern "C" __global__ void advance()
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    const float4 a = acceleration[i];
    float4 p = body[i], v = velocity[i];
    const float vhx = v.x + a.x * dthf, vhy = v.y + a.y * dthf, vhz = v.z + a.z * dthf; // half a time step on
    body[i] = make_float4(p.x + vhx * dtime, p.y + vhy * dtime, p.z + vhz * dtime, p.w);
    velocity[i] = make_float4(vhx + a.x * dthf, vhy + a.y * dthf, vhz + a.z * dthf, 0.0f);
}
