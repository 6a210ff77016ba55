// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the pairs of 16 bodies and 16 partners are spread over a warp as the elements of a matrix; nothing passes from lane to lane.
// Why:     tensor cores take matrices spread in this way. Sums are still the usual pipes' work: only the shape is new.
// Expect:  a little less speed. The operations of a pair stay; sums of partners are added up over lanes and leave more often.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations so far; zero between evaluations

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define TILE 16 // bodies of a matrix
#define TILES 4 // of a group
#define GROUP (TILE * TILES) // bodies of a warp
#define ALL 0xffffffff // lanes

#include "advance.cuh"
#include "ring.cuh"

// A tile of partners.
struct Partners {
    float4 body[4]; // those of the lane: 2 t, 2 t + 1, and 8 further
};

__device__ __forceinline__ Partners load(int tile, int lane)
{
    Partners partners;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        partners.body[k] = body[tile * TILE + lane % 4 * 2 + k % 2 + k / 2 * 8];
    }
    return partners;
}

// What a warp keeps of a tile of its own bodies.
struct Own {
    float4 body[2]; // those of the lane: g and g + 8
};

// A group meets a tile of partners. Lane 4 g + t has the pairs of bodies g and g + 8 with partners 2 t, 2 t + 1, 2 t + 8, 2 t + 9.
// `SELF`: it is one of its own tiles, and only the group's sums count.
template <bool SELF>
__device__ __forceinline__ void meet(const Own (&own)[TILES], const Partners &partners, float3 (&sum)[TILES][2], float3 (&back)[4])
{
#pragma unroll
    for (int row = 0; row < TILES; row++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const int mine = k / 2 % 2, theirs = k % 2 + k / 4 * 2;
            const float4 p = own[row].body[mine], q = partners.body[theirs];
            const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            const float dsq = dx * dx + (dy * dy + (dz * dz + epssq)); // softened
            const float dinv = rsqrtf(dsq); // inverse softened distance
            const float cube = dinv * dinv * dinv, scale = cube * q.w, opposite = cube * p.w;
            sum[row][mine].x += dx * scale;
            sum[row][mine].y += dy * scale;
            sum[row][mine].z += dz * scale;
            if (!SELF) {
                back[theirs].x -= dx * opposite;
                back[theirs].y -= dy * opposite;
                back[theirs].z -= dz * opposite;
            }
        }
    }
}

// The sum over two lanes whose numbers differ in the bit `other`.
__device__ __forceinline__ float3 both(float3 mine, float3 theirs, int other)
{
    mine.x += __shfl_xor_sync(ALL, theirs.x, other);
    mine.y += __shfl_xor_sync(ALL, theirs.y, other);
    mine.z += __shfl_xor_sync(ALL, theirs.z, other);
    return mine;
}

// Two lanes have parts of the same two sums: the one whose bit is 0 gets the first whole, the other the second.
__device__ __forceinline__ float3 share(float3 first, float3 second, int lane, int other)
{
    const bool low = (lane & other) == 0;
    return both(low ? first : second, low ? second : first, other);
}

__device__ __forceinline__ void add(int i, float3 a)
{
    atomicAdd(&sums[i].x, a.x);
    atomicAdd(&sums[i].y, a.y);
    atomicAdd(&sums[i].z, a.z);
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) force(int step)
{
    const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = (groups + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    if (group >= groups) {
        return;
    }
    Own own[TILES];
    float3 sum[TILES][2] = {};
#pragma unroll
    for (int row = 0; row < TILES; row++) {
        const int i = group * GROUP + row * TILE + g;
        own[row].body[0] = body[i];
        own[row].body[1] = body[i + 8];
    }
    const int steps = (groups / 2 + 1 + parts - 1) / parts; // of a part, the one at distance 0 among them
    const int last = min((part + 1) * steps - 1, distances(group, groups));
    int distance = part * steps;
    if (distance == 0) {
        for (int tile = 0; tile < TILES; tile++) {
            float3 back[4];
            meet<true>(own, load(group * TILES + tile, lane), sum, back);
        }
        distance++;
    }
    for (; distance <= last; distance++) {
        const int first = around(group + distance, groups) * TILES; // its first tile
        for (int tile = 0; tile < TILES; tile++) {
            float3 back[4] = {};
            meet<false>(own, load(first + tile, lane), sum, back);
            // Eight lanes have parts of four partners' sums. After two exchanges each lane has one sum, after the third it is whole.
            const float3 near = share(back[0], back[1], lane, 4), far = share(back[2], back[3], lane, 4);
            const float3 half = share(near, far, lane, 8), whole = both(half, half, 16);
            if (g < 4) {
                add((first + tile) * TILE + 2 * t + g % 2 + g / 2 * 8, whole);
            }
        }
    }
#pragma unroll
    for (int row = 0; row < TILES; row++) { // four lanes have parts of two bodies' sums
        const float3 half = share(sum[row][0], sum[row][1], lane, 1), whole = both(half, half, 2);
        if (t < 2) {
            add(group * GROUP + row * TILE + g + t * 8, whole);
        }
    }
}

// The sums become the accelerations, and are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        const float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i < n) {
            accelerate(i, make_float4(a.x, a.y, a.z, 0.0f), step);
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) { // the last block may be only partly used
        move(i);
    }
}
