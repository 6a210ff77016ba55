// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet. This is the loop of a CPU program in C, run by one GPU thread.
// Why:     a correct start, from which every later gain is counted.
// Expect:  slower than one CPU core: one lane of one warp works, and nothing hides its latencies.

struct Body {
    float mass, posx, posy, posz; // mass and position
    float velx, vely, velz, accx, accy, accz; // velocity and acceleration
};

extern "C" __global__ void force(int n, Body* body, float dthf, float epssq, int step)
{
    for (int i = 0; i < n; i++) {
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
    for (int i = 0; i < n; i++) {
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
