// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 6: moves all bodies on by a time step. Velocities are half a time step behind positions, as a leapfrog has them.

extern "C" __global__ void advance(int n, float dtime, float* x, float* y, float* z, float* vx, float* vy, float* vz, const float* ax,
    const float* ay, const float* az)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        vx[i] += ax[i] * dtime;
        vy[i] += ay[i] * dtime;
        vz[i] += az[i] * dtime;
        x[i] += vx[i] * dtime;
        y[i] += vy[i] * dtime;
        z[i] += vz[i] * dtime;
    }
}
