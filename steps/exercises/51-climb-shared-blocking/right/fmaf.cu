__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float *mass, *posx, *posy, *posz, *velx, *vely, *velz, *accx, *accy, *accz;

#define THREADS 256 // of a block; also the bodies of a tile

extern "C" __global__ void force(int step)
{
    __shared__ float masss[THREADS], posxs[THREADS], posys[THREADS], poszs[THREADS];
    const int tid = threadIdx.x;
    const int i = tid + blockIdx.x * blockDim.x;
    float px = 0.0f, py = 0.0f, pz = 0.0f;
    if (i < n) {
        px = posx[i], py = posy[i], pz = posz[i];
    }
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    int j = 0;
    for (int j1 = 0; j1 < n; j1 += THREADS) {
        if (j1 + tid < n) { // each thread brings one body of the tile
            masss[tid] = mass[j1 + tid];
            posxs[tid] = posx[j1 + tid];
            posys[tid] = posy[j1 + tid];
            poszs[tid] = posz[j1 + tid];
        }
        __syncthreads(); // the tile is complete
        const int bound = min(n - j1, THREADS);
        for (int j2 = 0; j2 < bound; j2++, j++) {
            if (i != j) {
                const float dx = posxs[j2] - px;
                const float dy = posys[j2] - py;
                const float dz = poszs[j2] - pz;
                const float dsq = dx * dx + dy * dy + dz * dz; // distance squared
                const float dinv = rsqrtf(dsq + epssq); // inverse softened distance
                const float scale = masss[j2] * dinv * dinv * dinv;
                ax = fmaf(dx, scale, ax);
                ay = fmaf(dy, scale, ay);
                az = fmaf(dz, scale, az);
            }
        }
        __syncthreads(); // nobody reads the tile any more
    }
    if (i < n) {
        if (step > 0) { // the velocity was advanced with the old acceleration: correct it
            velx[i] += (ax - accx[i]) * dthf;
            vely[i] += (ay - accy[i]) * dthf;
            velz[i] += (az - accz[i]) * dthf;
        }
        accx[i] = ax;
        accy[i] = ay;
        accz[i] = az;
    }
}

extern "C" __global__ void advance()
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
        const float vhx = velx[i] + accx[i] * dthf; // half a time step on
        const float vhy = vely[i] + accy[i] * dthf;
        const float vhz = velz[i] + accz[i] * dthf;
        posx[i] += vhx * dtime;
        posy[i] += vhy * dtime;
        posz[i] += vhz * dtime;
        velx[i] = vhx + accx[i] * dthf;
        vely[i] = vhy + accy[i] * dthf;
        velz[i] = vhz + accz[i] * dthf;
    }
}
