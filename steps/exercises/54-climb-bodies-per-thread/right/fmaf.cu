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
    __shared__ float4 tile[THREADS];
    const int tid = threadIdx.x;
    const int first = tid + blockIdx.x * (THREADS * BODIES);
    float4 p[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        p[b] = body[first + b * THREADS];
        ax[b] = ay[b] = az[b] = 0.0f;
    }
    for (int j1 = 0; j1 < n; j1 += THREADS) {
        tile[tid] = body[j1 + tid]; // each thread brings one body of the tile
        __syncthreads(); // the tile is complete
#pragma unroll UNROLL
        for (int j2 = 0; j2 < THREADS; j2++) {
            const float4 q = tile[j2];
#pragma unroll
            for (int b = 0; b < BODIES; b++) {
                const float dx = q.x - p[b].x;
                const float dy = q.y - p[b].y;
                const float dz = q.z - p[b].z;
                const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
                const float dinv = rsqrtf(dsq); // inverse softened distance
                const float scale = q.w * dinv * dinv * dinv;
                ax[b] = fmaf(dx, scale, ax[b]);
                ay[b] = fmaf(dy, scale, ay[b]);
                az[b] = fmaf(dz, scale, az[b]);
            }
        }
        __syncthreads(); // nobody reads the tile any more
    }
#pragma unroll
    for (int b = 0; b < BODIES; b++) {
        const int i = first + b * THREADS;
        if (i < n) {
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
