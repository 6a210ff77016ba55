// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernels `reorder` and `advance`: bodies in the order of their keys, and moved by a time step.

// Bodies, velocities, numbers and the last step's accelerations in the order of the keys.
extern "C" __global__ void __launch_bounds__(256) reorder(int n, const int *place, const float4 *body, const float4 *velocity,
    const int *order, const float4 *acceleration, float4 *body_out, float4 *velocity_out, int *order_out, float *strength)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const int from = place[i];
        body_out[i] = body[from];
        velocity_out[i] = velocity[from];
        order_out[i] = order[from];
        strength[i] = acceleration[from].w;
    }
}

extern "C" __global__ void __launch_bounds__(256) advance(int n, float dtime, const float4 *sorted, const float4 *sorted_velocity,
    const int *sorted_order, const float4 *acceleration, float4 *body, float4 *velocity, int *order)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float4 p = sorted[i], v = sorted_velocity[i];
        const float4 a = acceleration[i];
        v.x += a.x * dtime;
        v.y += a.y * dtime;
        v.z += a.z * dtime;
        p.x += v.x * dtime;
        p.y += v.y * dtime;
        p.z += v.z * dtime;
        body[i] = p;
        velocity[i] = v;
        order[i] = sorted_order[i];
    }
}
