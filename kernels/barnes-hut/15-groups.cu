// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: groups of 32 bodies with a large box are divided; warps take groups from a queue, and lanes of small groups share the sources.
// Why:     lists of 32 bodies far apart are long, and others wait for them; bodies in a small box need one distance to a node, not 32.
// Expect:  faster where bodies are many, and smaller errors: a box opens nodes that no body in it would.
//          Where bodies are few, the extra nodes cost more than the groups gain.

#define HILBERT // keys: along_curve() in keys.cuh

#include "warp.cuh"
#include "keys.cuh"
#include "nodes.cuh"
#include "moments.cuh"
#include "bodies.cuh"
#include "pull.cuh"
#include "group.cuh"
#include "groups.cuh"
#include "lists.cuh"

#define WALKERS 4 // warps of a block

// Whether a node must be opened. Its error is about spread / distance^4; `accepted` is what is accepted of it. In the first time step
// nothing is known yet: then its size counts, twice the root mean square distance of its bodies from their centre; `opening` is 1/θ².
__device__ __forceinline__ bool too_close(const Target &target, float4 centre, float spread, float accepted, float opening, float epssq)
{
    const float dsq = distance_squared(target, centre), softened = dsq + epssq;
    if (accepted > 0.0f) {
        return spread > fminf(accepted * softened, centre.w) * softened; // nor farther spread than away
    }
    return 4.0f * spread * opening > centre.w * dsq;
}

// Adds what 32 sources do to the bodies of a group, of which each lane has one. If they are few, lanes with the same body share them.
__device__ __forceinline__ void pull_all(float4 p, const float4 *source, int size, float epssq, float3 *a)
{
    if (size == WARP) {
#pragma unroll
        for (int s = 0; s < WARP; s++) {
            pull(p, source[s], epssq, a);
        }
    } else {
#pragma unroll 4
        for (int s = threadIdx.x % WARP / size; s < WARP; s += WARP / size) {
            pull(p, source[s], epssq, a);
        }
    }
}

// The acceleration of this lane's body.
__device__ __forceinline__ float3 walk(
    Group group, float4 p, float pull_before, float opening, float epssq, float alpha, const float4 *body, const Node *node, Lists &own)
{
    const int lane = threadIdx.x % WARP;
    const unsigned int earlier = (1u << lane) - 1; // lanes
    const Target target = target_of(p, pull_before);
    const float accepted = alpha * target.pull;
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
            if (lane < some && too_close(target, centre, rest.x, accepted, opening, epssq)) {
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
            pull_all(p, &own.source[sources], group.size, epssq, &a);
            __syncwarp(); // they have been read
        }
    }
    if (lane >= sources) {
        own.source[lane] = make_float4(0.0f, 0.0f, 0.0f, 0.0f); // without mass, it pulls at nobody
    }
    __syncwarp(); // the last sources are complete
    pull_all(p, own.source, group.size, epssq, &a);
    for (int other = group.size; other < WARP; other *= 2) { // lanes with the same body
        a.x += __shfl_xor_sync(ALL, a.x, other);
        a.y += __shfl_xor_sync(ALL, a.y, other);
        a.z += __shfl_xor_sync(ALL, a.z, other);
    }
    __syncwarp(); // the lists may be used again
    return a;
}

extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(int n, float opening, float epssq, float alpha, const float4 *body,
    const float *strength, const Node *node, unsigned int *counter, const Group *groups, float4 *acceleration)
{
    __shared__ Lists all[WALKERS];
    const int lane = threadIdx.x % WARP;
    while (true) {
        unsigned int next = 0;
        if (lane == 0) {
            next = atomicAdd(&counter[GROUPS + 1], 1);
        }
        next = __shfl_sync(ALL, next, 0);
        if (next >= counter[GROUPS]) {
            return;
        }
        const Group group = groups[next];
        const int i = min(group.first + lane % group.size, n - 1);
        const float3 a = walk(group, body[i], strength[i], opening, epssq, alpha, body, node, all[threadIdx.x / WARP]);
        if (lane < group.size && group.first + lane < n) {
            acceleration[i] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
        }
    }
}
