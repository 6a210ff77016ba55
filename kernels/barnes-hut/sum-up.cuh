// SPDX-License-Identifier: MIT OR Apache-2.0
// Mass, centre of mass and number of bodies of a cell; false if they are not known yet of each of its children.
__device__ bool sum_up(int cell, int n, OWN(float) x, OWN(float) y, OWN(float) z, volatile float* m, ONLY_READ(int) child,
    OWN(int) count)
{
    bool ready = true;
    for (int k = 0; k < 8; k++) {
        const int ch = child[8 * (cell - n) + k];
        ready &= ch < n || m[ch] >= 0.0f; // a cell's mass is its flag
    }
    if (!ready) {
        return false;
    }
    __threadfence(); // the children's values are read after their flags
    float mass = 0.0f, sx = 0.0f, sy = 0.0f, sz = 0.0f;
    int bodies = 0;
    for (int k = 0; k < 8; k++) {
        const int ch = child[8 * (cell - n) + k];
        if (ch >= 0) {
            const float part = m[ch];
            mass += part;
            sx += x[ch] * part;
            sy += y[ch] * part;
            sz += z[ch] * part;
            bodies += ch < n ? 1 : count[ch];
        }
    }
    const float inverse = mass > 0.0f ? 1.0f / mass : 0.0f;
    x[cell] = sx * inverse;
    y[cell] = sy * inverse;
    z[cell] = sz * inverse;
    count[cell] = bodies;
    __threadfence(); // the values are visible before the flag
    m[cell] = mass;
    return true;
}
