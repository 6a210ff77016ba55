// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: lanes look at 32 nodes at a time, against the box around the warp's bodies; a list of those that pull is worked off 32 at a time.
// Why:     a node was looked at by 32 lanes that agreed in the end. The inner loop now has no branch, and waits for no load.
// Expect:  two to three times faster.

#include "warp.cuh"
#include "keys.cuh"
#include "nodes.cuh"
#include "moments.cuh"
#include "bodies.cuh"
#include "pull.cuh"
#include "group.cuh"
#include "lists.cuh"

#define WALKERS 4 // warps of a block

// Whether a node must be opened. Its size is twice the root mean square distance of its bodies from their centre; `opening` is 1/θ².
__device__ __forceinline__ bool too_close(const Target &target, float4 centre, float spread, float opening)
{
    return 4.0f * spread * opening > centre.w * distance_squared(target, centre);
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
    int n, float opening, float epssq, const float4 *body, const Node *node, float4 *acceleration)
{
    __shared__ Lists all[WALKERS];
    Lists &own = all[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int earlier = (1u << lane) - 1; // lanes
    if (i - lane >= n) {
        return;
    }
    const float4 p = body[min(i, n - 1)];
    const Target target = target_of(p, 0.0f);
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
            if (lane < some && too_close(target, centre, rest.x, opening)) {
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
