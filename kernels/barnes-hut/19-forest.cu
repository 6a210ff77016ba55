// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each of several GPUs has a share of the bodies and a tree of its own; the others get those parts of it that they open.
// Why:     with the walk alone divided, every GPU sorts and links all bodies, and that limits the speed.
// Expect:  nearly as many times as fast as there are GPUs, while bodies are many; what is exchanged grows with surfaces.

#define HILBERT // keys: along_curve() in keys.cuh
#define SECOND_MOMENTS // moments() in moments.cuh

#include "warp.cuh"
#include "keys.cuh"
#include "nodes.cuh"
#include "moments.cuh"
#include "bodies.cuh"
#include "pull.cuh"
#include "group.cuh"
#include "groups.cuh"
#include "lists.cuh"
#include "second.cuh"
#include "second-walk.cuh"
#include "parts.cuh"

#define WALKERS 4 // warps of a block

// A warp walks its own tree and the parts of the others'. Numbers of nodes go on from the own tree, which has `room`, to the sections
// that GPU after GPU has sent, of `section` nodes each.
extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(int n, int gpu, int gpus, int room, int section, float opening,
    float epssq, float alpha, float share, const float4 *body, const float *strength, const Node *node, const float4 *seconds,
    unsigned int *counter, const Group *groups, Part *parts, float4 *acceleration)
{
    __shared__ Lists all[WALKERS];
    __shared__ Term terms[WALKERS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    bool cut = false;
    while (true) {
        unsigned int next = 0;
        if (lane == 0) {
            next = atomicAdd(&counter[GROUPS + 1], 1);
        }
        next = __shfl_sync(ALL, next, 0);
        if (next >= counter[GROUPS]) {
            break;
        }
        const Group group = groups[next];
        const int i = min(group.first + lane % group.size, n - 1);
        if (lane < gpus) {
            all[warp].todo[lane] = lane == gpu ? 0 : room + lane * section; // roots
        }
        const float3 a = walk_from(gpus, group, body[i], strength[i], opening, epssq, alpha, share, body, node, seconds, all[warp],
            terms[warp], cut);
        if (lane < group.size && group.first + lane < n) {
            acceleration[i] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
        }
    }
    if (cut) {
        atomicAdd(&parts[gpu].missing, 1);
    }
}
