// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a node is opened if its error would be too large a part of the acceleration that the bodies had in the last time step.
// Why:     an angle treats all nodes alike. Most errors come from few heavy ones; far from all others, a body needs hardly any node opened.
// Expect:  for the same error, lists half as long; errors of single bodies are more alike.

#define HILBERT // keys: along_curve() in keys.cuh

#include "warp.cuh"
#include "keys.cuh"
#include "nodes.cuh"
#include "moments.cuh"
#include "bodies.cuh"
#include "pull.cuh"
#include "lists.cuh"

#define WALKERS 4 // warps of a block

// Whether a node must be opened for any of the warp's bodies. Its error is about spread / distance^4; of that, `w` of a target is accepted.
// In the first time step nothing is known yet: then its size counts, twice the root mean square distance of its bodies from their centre;
// `opening` is 1/θ².
__device__ __forceinline__ bool too_close(const float4 *target, float4 centre, float spread, float opening, float epssq)
{
    bool close = false;
    if (target[0].w > 0.0f) {
#pragma unroll
        for (int t = 0; t < WARP; t++) {
            const float4 p = target[t];
            const float dx = centre.x - p.x, dy = centre.y - p.y, dz = centre.z - p.z;
            const float softened = dx * dx + (dy * dy + (dz * dz + epssq));
            close |= spread > fminf(p.w * softened, centre.w) * softened; // nor farther spread than away
        }
    } else {
        for (int t = 0; t < WARP; t++) {
            const float4 p = target[t];
            const float dx = centre.x - p.x, dy = centre.y - p.y, dz = centre.z - p.z;
            close |= 4.0f * spread * opening > centre.w * (dx * dx + (dy * dy + dz * dz));
        }
    }
    return close;
}

// Adds what 32 sources do to a body.
__device__ __forceinline__ void pull_all(float4 p, const float4 *source, float epssq, float3 *a)
{
#pragma unroll
    for (int s = 0; s < WARP; s++) {
        pull(p, source[s], epssq, a);
    }
}

extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(
    int n, float opening, float epssq, float alpha, const float4 *body, const float *strength, const Node *node, float4 *acceleration)
{
    __shared__ Lists all[WALKERS];
    __shared__ float4 targets[WALKERS][WARP]; // the bodies of each warp
    Lists &own = all[threadIdx.x / WARP];
    float4 *target = targets[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int earlier = (1u << lane) - 1; // lanes
    if (i - lane >= n) {
        return;
    }
    const float4 p = body[min(i, n - 1)];
    target[lane] = make_float4(p.x, p.y, p.z, alpha * strength[min(i, n - 1)]);
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    int todo = 1, sources = 0;
    if (lane == 0) {
        own.todo[0] = 0; // the root
    }
    __syncwarp();
    while (todo > 0) {
        const int some = next_of(todo);
        todo -= some;
        const unsigned int it = lane < some ? own.todo[todo + lane] : 0;
        const float4 *data = it >= BODY ? &body[it - BODY] : (const float4 *)&node[it];
        const float4 centre = data[0];
        int first = 0, count = 0; // of what is opened
        if (it < BODY) {
            const float4 rest = data[1];
            if (lane < some && too_close(target, centre, rest.x, opening, epssq)) {
                first = __float_as_int(rest.y);
                count = __float_as_int(rest.z);
            }
        }
        const bool pulls = lane < some && count == 0;
        const unsigned int pulling = __ballot_sync(ALL, pulls);
        if (pulls) {
            own.source[sources + __popc(pulling & earlier)] = centre;
        }
        sources += __popc(pulling);
        __syncwarp(); // all have read the stack
        todo = push(own.todo, todo, first, count);
        __syncwarp(); // sources and stack are written
        if (sources >= WARP) {
            sources -= WARP;
            pull_all(p, &own.source[sources], epssq, &a);
            __syncwarp(); // they have been read
        }
    }
    if (lane >= sources) {
        own.source[lane] = make_float4(0.0f, 0.0f, 0.0f, 0.0f); // without mass, it pulls at nobody
    }
    __syncwarp(); // the last sources are complete
    pull_all(p, own.source, epssq, &a);
    if (i < n) {
        acceleration[i] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
    }
}
