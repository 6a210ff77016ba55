// SPDX-License-Identifier: MIT OR Apache-2.0
// What a time step does to body `i`. The kernel declares `dtime`, `dthf`, `body`, `velocity` and `acceleration`.

// Stores the new acceleration. After the first time step the velocity was advanced with the old one: correct it.
__device__ __forceinline__ void accelerate(int i, float4 a, int step)
{
    if (step > 0) {
        const float4 old = acceleration[i];
        float4 v = velocity[i];
        v.x += (a.x - old.x) * dthf;
        v.y += (a.y - old.y) * dthf;
        v.z += (a.z - old.z) * dthf;
        velocity[i] = v;
    }
    acceleration[i] = a;
}

// Moves the body on by a time step.
__device__ __forceinline__ void move(int i)
{
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
