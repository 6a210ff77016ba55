// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: sums are products of small matrices, on the tensor cores: s = 1/r^3 of 16 bodies by 16 partners, times moments.
// Why:     adding to both sums of a pair is 6 of its 16 operations, and its two scales 2 more; the tensor cores do them beside the rest.
// Expect:  little: splitting s costs as much as the sums did. But now distances are all that is left on the usual pipes.
//
// Limits: s is below 65504 (softening above 0.025), coordinates below 65504. Needs compute capability 8.0.

__constant__ int n;
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations so far, in units of `mass_unit`; zero between evaluations
__constant__ float mass_unit; // the greatest mass
__constant__ unsigned short *moments; // of halves: see `prepare`

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define TILE 16 // bodies of a matrix
#define TILES 4 // of a group
#define GROUP (TILE * TILES) // bodies of a warp
#define ALL 0xffffffff // lanes
#ifndef FLUSH
#define FLUSH 1 // matrix products after which a sum leaves the tensor cores, which round towards zero: 1 or 4
#endif

#include "advance.cuh"
#include "ring.cuh"
#include "sums.cuh"

// The matrices of moments: for each tile eight columns, mass (x, y, z, 1) and what halves lose of it, of 16 bodies.
extern "C" __global__ void prepare(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x; // as many threads as bodies in whole groups
    prepare_moments(i, body[i]);
}

// A tile of partners.
struct Partners {
    uint2 moments;
    float4 body[4]; // those of the lane: 2 t, 2 t + 1, and 8 further
};

__device__ __forceinline__ Partners load(int tile, int lane)
{
    Partners partners;
    partners.moments = ((const uint2 *)moments)[tile * WARP + lane];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        partners.body[k] = body[tile * TILE + lane % 4 * 2 + k % 2 + k / 2 * 8];
    }
    return partners;
}

// What a warp keeps of a tile of its own bodies.
struct Own {
    uint2 moments;
    float4 body[2]; // those of the lane: g and g + 8
};

// Squared distances, softened: of bodies g, g, g + 8, g + 8 and partners 2 t, 2 t + 1, 2 t, 2 t + 1; then of partners 8 further.
__device__ __forceinline__ void squares(float (&dsq)[8], const Own &own, const Partners &partners)
{
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const float4 p = own.body[k / 2 % 2], q = partners.body[k % 2 + k / 4 * 2];
        const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
        dsq[k] = dx * dx + (dy * dy + (dz * dz + epssq));
    }
}

// From sum s m q and sum s m follows sum s m (q - p): the moments of a partner are its mass (x, y, z, 1). For the partners' own sums
// s is transposed. Halves have too few bits, so that s and the moments are two each, the second what the first lost.
//
// A group meets a tile of partners. `SELF`: it is one of its own tiles, the `tile`-th, and only the group's sums count.
template <bool SELF>
__device__ __forceinline__ void meet(
    const Own (&own)[TILES], const Partners &partners, int tile, int lane, float4 (&front)[TILES], float (&sum)[TILES][2], float (&back)[2])
{
    constexpr int flush = SELF ? 1 : FLUSH;
    const int g = lane / 4, t = lane % 4;
    float4 product;
#pragma unroll
    for (int row = 0; row < TILES; row++) {
        float dsq[8], s[8]; // of bodies g, g, g + 8, g + 8 with partners 2 t, 2 t + 1, 2 t, 2 t + 1; then with partners 8 further
        squares(dsq, own[row], partners);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float dinv = rsqrtf(dsq[k]);
            s[k] = dinv * dinv * dinv;
            if (SELF && TILE * row + g + k / 2 % 2 * 8 == TILE * tile + 2 * t + k % 2 + k / 4 * 8) {
                s[k] = 0.0f; // a body and itself: what should be nothing is the difference of two large sums
            }
        }
        unsigned high[4], low[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            high[k] = halves(s[2 * k], s[2 * k + 1]);
            low[k] = rest(s[2 * k], s[2 * k + 1], high[k]);
        }
        const uint4 a = make_uint4(high[0], high[1], high[2], high[3]), less = make_uint4(low[0], low[1], low[2], low[3]);
        if (tile % flush == 0) {
            front[row] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        front[row] = multiply(a, partners.moments, multiply(less, partners.moments, front[row]));
        if (tile % flush == flush - 1) {
            sum[row][0] += front[row].x + front[row].y; // the moments' two parts
            sum[row][1] += front[row].z + front[row].w;
        }
        if (!SELF) {
            if (row % flush == 0) {
                product = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            }
            product = multiply(transpose(a), own[row].moments, multiply(transpose(less), own[row].moments, product));
            if (row % flush == flush - 1) {
                back[0] += product.x + product.y;
                back[1] += product.z + product.w;
            }
        }
    }
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
    const float *component = (const float *)body;
    float *total = (float *)sums;
    Own own[TILES];
    float p[TILES][2], a[TILES][2], sum[TILES][2] = {};
    float4 front[TILES];
#pragma unroll
    for (int row = 0; row < TILES; row++) {
        const int i = group * GROUP + row * TILE + g;
        own[row].moments = ((const uint2 *)moments)[(group * TILES + row) * WARP + lane];
        own[row].body[0] = body[i];
        own[row].body[1] = body[i + 8];
#pragma unroll
        for (int h = 0; h < 2; h++) {
            p[row][h] = component[4 * (i + 8 * h) + t];
            a[row][h] = 0.0f;
        }
    }
    const auto settle = [&]() {
#pragma unroll
        for (int row = 0; row < TILES; row++) {
#pragma unroll
            for (int h = 0; h < 2; h++) {
                a[row][h] += relative(p[row][h], sum[row][h], lane);
                sum[row][h] = 0.0f;
            }
        }
    };
    const int steps = (groups / 2 + 1 + parts - 1) / parts; // of a part, the one at distance 0 among them
    const int last = min((part + 1) * steps - 1, distances(group, groups));
    int distance = part * steps;
    if (distance == 0) {
        for (int tile = 0; tile < TILES; tile++) {
            float back[2];
            meet<true>(own, load(group * TILES + tile, lane), tile, lane, front, sum, back);
        }
        settle();
        distance++;
    }
    for (; distance <= last; distance++) {
        const int first = around(group + distance, groups) * TILES; // its first tile
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const int j = (first + tile) * TILE + g;
            const Partners partners = load(first + tile, lane);
            const float q[2] = {component[4 * j + t], component[4 * (j + 8) + t]};
            float back[2] = {};
            meet<false>(own, partners, tile, lane, front, sum, back);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                atomicAdd(&total[4 * (j + 8 * h) + t], relative(q[h], back[h], lane));
            }
        }
        settle();
    }
#pragma unroll
    for (int row = 0; row < TILES; row++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            atomicAdd(&total[4 * (group * GROUP + row * TILE + g + 8 * h) + t], a[row][h]);
        }
    }
}

// The sums become the accelerations, and are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i < n) {
            a = make_float4(a.x * mass_unit, a.y * mass_unit, a.z * mass_unit, 0.0f);
            accelerate(i, a, step);
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
