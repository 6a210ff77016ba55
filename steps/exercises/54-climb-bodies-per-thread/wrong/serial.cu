__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing

#define THREADS 256 // of a block; also the bodies of a tile
#define BODIES 2    // of a thread
#ifndef UNROLL
#define UNROLL 16 // times the loop over a tile
#endif

extern "C" __global__ void force(int step)
{
    for (int i = 0; i < n && threadIdx.x + blockIdx.x == 0; i++) {
        const float4 p = body[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            const float4 q = body[j];
            const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            const float dinv = rsqrtf(dx * dx + (dy * dy + (dz * dz + epssq)));
            const float scale = q.w * dinv * dinv * dinv;
            ax += dx * scale;
            ay += dy * scale;
            az += dz * scale;
        }
        if (step > 0) {
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
