// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: each of several GPUs walks the tree for every n-th warp of bodies; accelerations are gathered from all.
// Why:     the walk is most of the work, and what it needs, all bodies and the tree, each GPU can make for itself.
// Expect:  the time of the walk divided by the number of GPUs; that of the tree stays, and the exchange comes on top.

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

#define WALKERS 4 // warps of a block

// Where a body's acceleration lies among those that GPU after GPU gives. Neighbouring warps of bodies are on different GPUs, so
// that each has as much of the dense core as any other.
__device__ __forceinline__ int slot_of(int i, int n, int gpus)
{
    const int warp = i / WARP, warps = (n + WARP - 1) / WARP, of_each = (warps + gpus - 1) / gpus;
    return (warp % gpus * of_each + warp / gpus) * WARP + i % WARP;
}

extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(int n, int gpu, int gpus, float opening, float epssq, float alpha,
    float share, const float4 *body, const float *strength, const Node *node, const float4 *seconds, unsigned int *counter,
    const Group *groups, float4 *exchanged)
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
        if (group.first / WARP % gpus != gpu) {
            continue; // another GPU's
        }
        const int i = min(group.first + lane % group.size, n - 1);
        const float3 a = walk(
            group, body[i], strength[i], opening, epssq, alpha, share, body, node, seconds, all[warp], terms[warp]);
        if (lane < group.size && group.first + lane < n) {
            exchanged[slot_of(i, n, gpus)] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
        }
    }
}

// The accelerations of all bodies, in their order.
extern "C" __global__ void __launch_bounds__(256) collect(int n, int gpus, const float4 *exchanged, float4 *acceleration)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        acceleration[i] = exchanged[slot_of(i, n, gpus)];
    }
}
