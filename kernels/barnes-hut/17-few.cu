// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: groups are no larger than gives every warp of the GPU two; all launches of a time step are recorded, and started by one call.
// Why:     few bodies make fewer groups than warps, and all wait for the longest walk; then sixteen launches take as long as what they do.
// Expect:  faster up to some hundred thousand bodies, and the same beyond.
//          Small boxes open fewer nodes: errors grow a little.

#define HILBERT // keys: along_curve() in keys.cuh
#define SECOND_MOMENTS // moments() in moments.cuh
#define LARGEST largest // bodies of a group, in groups.cuh
#define LARGEST_PARAMETER , int largest

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

#define WALKERS 4 // warps of a block

extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(int n, float opening, float epssq, float alpha, float share,
    const float4 *body, const float *strength, const Node *node, const float4 *seconds, unsigned int *counter, const Group *groups,
    float4 *acceleration)
{
    __shared__ Lists all[WALKERS];
    __shared__ Term terms[WALKERS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
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
        const float3 a = walk(
            group, body[i], strength[i], opening, epssq, alpha, share, body, node, seconds, all[warp], terms[warp]);
        if (lane < group.size && group.first + lane < n) {
            acceleration[i] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
        }
    }
}
