// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernel `moments`: what the walk needs to know of the bodies of each node, from the leaves up, in one launch. Nobody waits: of the
// children of a cell, the last that is done goes on with the cell. It adds them in their order, so the bits are the same in every run.

#define CHILDREN 8
#ifdef SECOND_MOMENTS
#define SECONDS_PARAMETER , float4 *seconds
#define SECONDS , seconds
#else
#define SECONDS_PARAMETER
#define SECONDS
#endif

// Second moments of masses around a point: sums of m x x, m x y and so on.
struct Second {
    float xx, xy, xz, yy, yz, zz;
};

__device__ __forceinline__ float trace(const Second &it)
{
    return it.xx + it.yy + it.zz;
}

// The centre of mass of `count` bodies or nodes.
template <int MOST> __device__ __forceinline__ float4 centre_of(const float4 (&part)[MOST], int count)
{
    float mass = 0.0f, x = 0.0f, y = 0.0f, z = 0.0f;
#pragma unroll
    for (int c = 0; c < MOST; c++) {
        const float its = c < count ? part[c].w : 0.0f;
        mass += its;
        x += its * (part[c].x - part[0].x); // small numbers
        y += its * (part[c].y - part[0].y);
        z += its * (part[c].z - part[0].z);
    }
    const float share = mass > 0.0f ? 1.0f / mass : 0.0f; // bodies without mass are where the first is
    return make_float4(part[0].x + x * share, part[0].y + y * share, part[0].z + z * share, mass);
}

// Adds their second moments around it.
template <int MOST> __device__ __forceinline__ void add_second(const float4 (&part)[MOST], int count, float4 centre, Second *sum)
{
#pragma unroll
    for (int c = 0; c < MOST; c++) {
        const float its = c < count ? part[c].w : 0.0f;
        const float dx = part[c].x - centre.x, dy = part[c].y - centre.y, dz = part[c].z - centre.z;
        sum->xx += its * dx * dx;
        sum->xy += its * dx * dy;
        sum->xz += its * dx * dz;
        sum->yy += its * dy * dy;
        sum->yz += its * dy * dz;
        sum->zz += its * dz * dz;
    }
}

__device__ __forceinline__ void store(int k, float4 centre, const Second &second, Node *node SECONDS_PARAMETER)
{
    *(float4 *)&node[k] = centre;
    node[k].spread = trace(second);
#ifdef SECOND_MOMENTS
    seconds[2 * k] = make_float4(second.xx, second.xy, second.xz, second.yy);
    seconds[2 * k + 1] = make_float4(second.yz, second.zz, 0.0f, 0.0f);
#endif
}

__device__ __forceinline__ void leaf_moments(int k, const float4 *body, Node *node SECONDS_PARAMETER)
{
    const int first = node[k].first, count = node[k].count - LEAF;
    float4 part[BUCKET];
#pragma unroll
    for (int b = 0; b < BUCKET; b++) {
        part[b] = body[b < count ? first + b : first];
    }
    const float4 centre = centre_of<BUCKET>(part, count);
    Second second = {};
    add_second<BUCKET>(part, count, centre, &second);
    store(k, centre, second, node SECONDS);
}

__device__ __forceinline__ void cell_moments(int k, int first, int count, Node *node SECONDS_PARAMETER)
{
    float4 part[CHILDREN];
    Second second = {};
#pragma unroll
    for (int c = 0; c < CHILDREN; c++) {
        const int child = c < count ? first + c : first;
        part[c] = __ldcg((const float4 *)&node[child]); // another multiprocessor may have written it
#ifdef SECOND_MOMENTS
        const float4 some = __ldcg(&seconds[2 * child]), rest = __ldcg(&seconds[2 * child + 1]);
        second.xx += c < count ? some.x : 0.0f;
        second.xy += c < count ? some.y : 0.0f;
        second.xz += c < count ? some.z : 0.0f;
        second.yy += c < count ? some.w : 0.0f;
        second.yz += c < count ? rest.x : 0.0f;
        second.zz += c < count ? rest.y : 0.0f;
#else
        second.xx += c < count ? __ldcg(&node[child].spread) : 0.0f; // only the trace is kept
#endif
    }
    const float4 centre = centre_of<CHILDREN>(part, count);
    add_second<CHILDREN>(part, count, centre, &second);
    store(k, centre, second, node SECONDS);
}

extern "C" __global__ void __launch_bounds__(256) moments(const float4 *body, const int *totals, const int *child, int *arrived, Node *node SECONDS_PARAMETER)
{
    int nodes = 0;
    for (int level = 0; level < DEPTHS; level++) {
        nodes += totals[level];
    }
    for (int k = threadIdx.x + blockIdx.x * blockDim.x; k < nodes; k += blockDim.x * gridDim.x) {
        const int first = child[k], count = child[k + 1] - first;
        if (count > 0) {
            node[k].first = first;
            node[k].count = count;
            continue; // whoever comes from its last child adds them
        }
        leaf_moments(k, body, node SECONDS);
        for (int done = k; done > 0;) {
            const int cell = node[done].parent;
            const int its = child[cell], children = child[cell + 1] - its;
            __threadfence(); // the moments are there before the arrival
            if (atomicAdd(&arrived[cell], 1) + 1 < children) {
                break;
            }
            __threadfence(); // the others' moments are read after their arrival
            cell_moments(cell, its, children, node SECONDS);
            done = cell;
        }
    }
}
