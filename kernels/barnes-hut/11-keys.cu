// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: bodies are sorted by keys of their places; the tree follows from the sorted keys, in three launches without a lock.
// Why:     each body knows from keys near its own which nodes begin with it. Bodies of a leaf, up to 16, are neighbours in memory.
// Expect:  tree and order in less time than build, summarise and sort took, and a tree of fewer nodes. Each run gives the same bits.

#include "warp.cuh"
#include "keys.cuh"
#include "nodes.cuh"
#include "moments.cuh"
#include "bodies.cuh"
#include "pull.cuh"

#define WALKERS 4 // warps of a block
#define STACK 256 // nodes: seven of each level, and eight

// A warp walks the tree for its 32 bodies: a node is opened for all if it is near to any. The size of a node is twice the root mean
// square distance of its bodies from their centre, as of a cube that is evenly filled; `opening` is 1/θ².
extern "C" __global__ void __launch_bounds__(WALKERS *WARP) force(
    int n, float opening, float epssq, const float4 *body, const Node *node, float4 *acceleration)
{
    __shared__ int stacks[WALKERS][STACK];
    const int lane = threadIdx.x % WARP, i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i - lane >= n) {
        return;
    }
    int *stack = stacks[threadIdx.x / WARP];
    const float4 p = body[min(i, n - 1)];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    int todo = 1;
    if (lane == 0) {
        stack[0] = 0; // the root
    }
    __syncwarp();
    while (todo > 0) {
        const Node it = node[stack[--todo]];
        const float4 centre = make_float4(it.x, it.y, it.z, it.mass);
        const float dx = it.x - p.x, dy = it.y - p.y, dz = it.z - p.z;
        const bool near = 4.0f * it.spread * opening > it.mass * (dx * dx + dy * dy + dz * dz);
        if (!__any_sync(ALL, near)) {
            pull(p, centre, epssq, &a);
        } else if (it.count > LEAF) {
            for (int b = it.first; b < it.first + it.count - LEAF; b++) {
                pull(p, body[b], epssq, &a);
            }
        } else {
            __syncwarp(); // all have read the stack
            if (lane < it.count) {
                stack[todo + lane] = it.first + lane;
            }
            todo += it.count;
            __syncwarp(); // the children are there
        }
    }
    if (i < n) {
        acceleration[i] = make_float4(a.x, a.y, a.z, sqrtf(a.x * a.x + a.y * a.y + a.z * a.z));
    }
}
