__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float *mass, *posx, *posy, *posz, *velx, *vely, *velz, *accx, *accy, *accz;

extern "C" __global__ void force(int step)
{
    for (int i = 0; i < n && threadIdx.x + blockIdx.x == 0; i++) {
        const float px = posx[i], py = posy[i], pz = posz[i];
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            if (i != j) {
                const float dx = posx[j] - px;
                const float dy = posy[j] - py;
                const float dz = posz[j] - pz;
                const float dsq = dx * dx + dy * dy + dz * dz; // distance squared
                const float dinv = rsqrtf(dsq + epssq); // inverse softened distance
                const float scale = mass[j] * dinv * dinv * dinv;
                ax += dx * scale;
                ay += dy * scale;
                az += dz * scale;
            }
        }
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
