// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: one thread per body; the loop over i becomes the thread's index.
// Why:     the bodies' sums are independent, and a GPU is thousands of lanes wide.
// Expect:  a gain beyond the number of lanes: while one warp waits, the others run.

struct Body {
    float mass, posx, posy, posz; // mass and position
    float velx, vely, velz, accx, accy, accz; // velocity and acceleration
};

extern "C" __global__ void force(int n, Body* body, float dthf, float epssq, int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
        const float px = body[i].posx, py = body[i].posy, pz = body[i].posz;
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            if (i != j) {
                const float dx = body[j].posx - px;
                const float dy = body[j].posy - py;
                const float dz = body[j].posz - pz;
                const float dsq = dx * dx + dy * dy + dz * dz; // distance squared
                const float dinv = 1.0f / sqrtf(dsq + epssq); // inverse softened distance
                const float scale = body[j].mass * dinv * dinv * dinv;
                ax += dx * scale;
                ay += dy * scale;
                az += dz * scale;
            }
        }
        if (step > 0) { // the velocity was advanced with the old acceleration: correct it
            body[i].velx += (ax - body[i].accx) * dthf;
            body[i].vely += (ay - body[i].accy) * dthf;
            body[i].velz += (az - body[i].accz) * dthf;
        }
        body[i].accx = ax;
        body[i].accy = ay;
        body[i].accz = az;
    }
}

extern "C" __global__ void advance(int n, Body* body, float dtime, float dthf)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
        const float vhx = body[i].velx + body[i].accx * dthf; // half a time step on
        const float vhy = body[i].vely + body[i].accy * dthf;
        const float vhz = body[i].velz + body[i].accz * dthf;
        body[i].posx += vhx * dtime;
        body[i].posy += vhy * dtime;
        body[i].posz += vhz * dtime;
        body[i].velx = vhx + body[i].accx * dthf;
        body[i].vely = vhy + body[i].accy * dthf;
        body[i].velz = vhz + body[i].accz * dthf;
    }
}
