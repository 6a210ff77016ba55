// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: pairs are divided over several GPUs, as in 19: each meets its own groups with the half of the ring that follows. The kernels are rewritten as pairs.
// Why:     the fastest step for one GPU should be that for many; while positions travel, each GPU's own bodies meet on its tensor cores.
// Expect:  nearly as many times the speed as there are GPUs, with more bodies than in 19: each GPU ends its work sooner.
//
// Limits: those of the parent; distances from the origin below 4000, and not above 1000 times the softening.

__constant__ int n;
__constant__ int begin, end; // this GPU's own bodies, in whole groups; the last may be padding
__constant__ float dtime, dthf, epssq;
__constant__ float4 *body, *velocity, *acceleration; // x, y, z; the mass of a body, else nothing
__constant__ float4 *sums; // accelerations so far, in units of `mass_unit`; zero between evaluations
__constant__ float mass_unit; // the greatest mass
__constant__ unsigned short *moments, *bodies, *partners; // of halves: see `prepare`

#define WARP 32
#define THREADS 128 // of a block
#define WARPS (THREADS / WARP)
#define TILE 16 // bodies of a matrix
#define TILES 4 // of a group
#define GROUP (TILE * TILES) // bodies of a warp
#define ALL 0xffffffff // lanes
#ifndef FLUSH
#define FLUSH 1 // matrix products after which a sum leaves the tensor cores, which round towards zero: 1, 2 or 4
#endif

// Where group `at` is on a ring of so many: at most one round further.
__device__ __forceinline__ int around(int at, int groups)
{
    return at < groups ? at : at - groups;
}

// Groups stand in a ring. Each meets those at distances 1, 2, ... up to half way round, so each pair of groups meets once; where
// their number is even, the group half way round is met by one of the two.
__device__ int distances(int group, int groups)
{
    return (groups - 1) / 2 + (groups % 2 == 0 && group < groups / 2);
}

__device__ __forceinline__ unsigned short half(float x)
{
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

__device__ __forceinline__ float number(unsigned short half)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
    return x;
}

// Two halves in one register, `x` in the lower.
__device__ __forceinline__ unsigned halves(float x, float y)
{
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(y), "f"(x));
    return both;
}

// What two numbers lost when they became `halves`, as halves.
__device__ __forceinline__ unsigned rest(float x, float y, unsigned both)
{
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(both));
    return halves(x - number(low), y - number(high));
}

// a b + c of a 16 x 16, b 16 x 8. Lane 4 g + t has of b columns g, rows 2 t, 2 t + 1, 2 t + 8, 2 t + 9; of c and the result rows g (x, y)
// and g + 8 (z, w), columns 2 t and 2 t + 1; of a rows g (x, z) and g + 8 (y, w), columns 2 t, 2 t + 1 (x, y) and 2 t + 8, 2 t + 9 (z, w).
__device__ __forceinline__ float4 multiply(uint4 a, uint2 b, float4 c)
{
    float4 d;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w));
    return d;
}

// Transposes an 8 x 8 matrix of halves, of which each lane has two.
__device__ __forceinline__ unsigned transpose(unsigned a)
{
    unsigned d;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}

__device__ __forceinline__ uint4 transpose(uint4 a)
{
    return make_uint4(transpose(a.x), transpose(a.z), transpose(a.y), transpose(a.w));
}

// Where the value of row or column k = 2 t, 2 t + 1, 2 t + 8, 2 t + 9 is stored: so that a lane's four are side by side.
__device__ __forceinline__ int slot(int k)
{
    return k % 8 / 2 * 4 + k / 8 * 2 + k % 2;
}

// The matrices of body `i`: those of moments; and its row and its column of the product that gives squared distances.
__device__ __forceinline__ void matrices(int i)
{
    const float4 p = body[i];
    union { unsigned short half[16]; uint4 words[2]; } row, column;
    const float x[3] = {p.x, p.y, p.z};
#pragma unroll
    for (int c = 0; c < 3; c++) { // -2 x x' without the product of the second parts; 64 keeps the second parts from getting too small
        const unsigned short high = half(x[c]);
        const float second = x[c] - number(high);
        row.half[slot(c)] = half(-2.0f * number(high));
        column.half[slot(c)] = high;
        row.half[slot(8 + 2 * c)] = half(number(high) * (-2.0f / 64.0f));
        column.half[slot(8 + 2 * c)] = half(second * 64.0f);
        row.half[slot(9 + 2 * c)] = half(second * -128.0f);
        column.half[slot(9 + 2 * c)] = half(number(high) * (1.0f / 64.0f));
    }
    double own = (double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z, other = own + epssq;
    const float scales[3] = {1.0f / 256.0f, 16.0f, 4096.0f}; // of a square's three parts: none too great or too small for a half
    const int at[3] = {3, 5, 14};
#pragma unroll
    for (int part = 0; part < 3; part++) {
        const unsigned short mine = half((float)(own * scales[part])), theirs = half((float)(other * scales[part]));
        const unsigned short back = half(1.0f / scales[part]);
        row.half[slot(at[part])] = mine;
        column.half[slot(at[part])] = back;
        row.half[slot(at[part] + 1)] = back;
        column.half[slot(at[part] + 1)] = theirs;
        own -= (double)number(mine) / scales[part];
        other -= (double)number(theirs) / scales[part];
    }
    row.half[slot(7)] = column.half[slot(7)] = 0; // 16 are more than needed
    ((uint4 *)bodies)[2 * i] = row.words[0];
    ((uint4 *)bodies)[2 * i + 1] = row.words[1];
    ((uint4 *)partners)[2 * i] = column.words[0];
    ((uint4 *)partners)[2 * i + 1] = column.words[1];
    const float mass = p.w / mass_unit;
    const float moment[4] = {mass * p.x, mass * p.y, mass * p.z, mass};
    unsigned short *to = moments + i / TILE * (8 * TILE) + slot(i % TILE);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const unsigned short high = half(moment[c]);
        to[(2 * c) * TILE] = high;
        to[(2 * c + 1) * TILE] = half(moment[c] - number(high));
    }
}

// Own bodies: no other GPU is needed.
extern "C" __global__ void prepare_own(int step)
{
    matrices(begin + threadIdx.x + blockIdx.x * blockDim.x); // as many threads as own bodies, in whole groups
}

// All others.
extern "C" __global__ void prepare(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x; // as many threads as bodies in whole groups
    if (i < begin || i >= end) {
        matrices(i);
    }
}

// A tile of partners.
struct Partners {
    uint2 moments;
    uint2 columns[2]; // of partner g, and 8 further
};

__device__ __forceinline__ Partners load(int tile, int lane)
{
    Partners partners;
    partners.moments = ((const uint2 *)moments)[tile * WARP + lane];
    partners.columns[0] = ((const uint2 *)::partners)[tile * TILE * 4 + lane];
    partners.columns[1] = ((const uint2 *)::partners)[tile * TILE * 4 + WARP + lane];
    return partners;
}

// What a warp keeps of a tile of its own bodies.
struct Own {
    uint2 moments;
    uint4 rows; // of bodies g and g + 8
};

// Squared distances, softened: of bodies g, g, g + 8, g + 8 and partners 2 t, 2 t + 1, 2 t, 2 t + 1; then of partners 8 further.
__device__ __forceinline__ void squares(float (&dsq)[8], const Own &own, const Partners &partners)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const float4 d = multiply(own.rows, partners.columns[h], make_float4(0.0f, 0.0f, 0.0f, 0.0f));
        dsq[4 * h] = d.x;
        dsq[4 * h + 1] = d.y;
        dsq[4 * h + 2] = d.z;
        dsq[4 * h + 3] = d.w;
    }
}

// The sums of a tile of 16 bodies or partners, spread over the warp: lane 4 g + t has component t of bodies g and g + 8; component 3 is
// that of the mass alone. From sum s m q to sum s m (q - p), where `p` is the lane's component of the same body.
__device__ __forceinline__ float relative(float p, float sum, int lane)
{
    return sum - p * __shfl_sync(ALL, sum, lane | 3);
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
    float4 product, remainder = make_float4(0.0f, 0.0f, 0.0f, 0.0f); // with the first parts of s, and with the second
    float next[8];
    squares(next, own[0], partners);
#pragma unroll
    for (int row = 0; row < TILES; row++) {
        float s[8]; // of bodies g, g, g + 8, g + 8 with partners 2 t, 2 t + 1, 2 t, 2 t + 1; then with partners 8 further
#pragma unroll
        for (int k = 0; k < 8; k++) {
            const float dinv = rsqrtf(next[k]);
            s[k] = dinv * dinv * dinv;
            if (SELF && TILE * row + g + k / 2 % 2 * 8 == TILE * tile + 2 * t + k % 2 + k / 4 * 8) {
                s[k] = 0.0f; // a body and itself: what should be nothing is the difference of two large sums
            }
        }
        if (row + 1 < TILES) {
            squares(next, own[row + 1], partners); // on their way while these are used
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
            remainder = multiply(transpose(less), own[row].moments, remainder); // apart: neither waits for the other
            product = multiply(transpose(a), own[row].moments, product);
            if (row == TILES - 1) {
                back[0] += remainder.x + remainder.y;
                back[1] += remainder.z + remainder.w;
            }
            if (row % flush == flush - 1) {
                back[0] += product.x + product.y;
                back[1] += product.z + product.w;
            }
        }
    }
}

// Own groups meet those of their half of the ring that are own ones (`NEAR`), or those that are not.
template <bool NEAR> __device__ __forceinline__ void walk()
{
    const int lane = threadIdx.x % WARP, g = lane / 4, t = lane % 4;
    const int groups = (n + GROUP - 1) / GROUP;
    const int rows = ((end - begin) / GROUP + WARPS - 1) / WARPS; // of blocks; the grid is so many times the parts of a group's walk
    const int parts = gridDim.x / rows, part = blockIdx.x / rows;
    const int group = begin / GROUP + blockIdx.x % rows * WARPS + threadIdx.x / WARP;
    const int beyond = min(end / GROUP, groups); // the first group that is not own
    if (group >= beyond) {
        return;
    }
    const int furthest = distances(group, groups), inside = min(beyond - 1 - group, furthest); // the last own group it meets
    const int start = NEAR ? 0 : inside + 1, length = NEAR ? inside + 1 : furthest - inside;
    const int steps = (length + parts - 1) / parts; // of a part
    const int last = start + min((part + 1) * steps, length) - 1;
    int distance = start + part * steps;
    if (distance > last) {
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
        const uint2 upper = ((const uint2 *)bodies)[i * 4 + t], lower = ((const uint2 *)bodies)[(i + 8) * 4 + t];
        own[row].rows = make_uint4(upper.x, lower.x, upper.y, lower.y);
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
    if (NEAR && distance == 0) {
        for (int tile = 0; tile < TILES; tile++) {
            float back[2];
            meet<true>(own, load(group * TILES + tile, lane), tile, lane, front, sum, back);
        }
        settle();
        distance++;
    }
    int first = around(group + distance, groups) * TILES; // its first tile
    Partners next = load(first, lane);
    for (int left = last - distance; left >= 0; left--) {
        const int after = first + TILES < groups * TILES ? first + TILES : 0;
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const int j = (first + tile) * TILE + g;
            const Partners partners = next;
            next = load(tile + 1 < TILES ? first + tile + 1 : after, lane); // early
            const float q[2] = {component[4 * j + t], component[4 * (j + 8) + t]};
            float back[2] = {};
            meet<false>(own, partners, tile, lane, front, sum, back);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                atomicAdd(&total[4 * (j + 8 * h) + t], relative(q[h], back[h], lane));
            }
        }
        settle();
        first = after;
    }
#pragma unroll
    for (int row = 0; row < TILES; row++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            atomicAdd(&total[4 * (group * GROUP + row * TILE + g + 8 * h) + t], a[row][h]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) near(int step)
{
    walk<true>();
}

extern "C" __global__ void __launch_bounds__(THREADS, 512 / THREADS) force(int step)
{
    walk<false>();
}

// The sums, by now of all GPUs, become the accelerations of own bodies. All are zero for the next time step.
extern "C" __global__ void correct(int step)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < (n + GROUP - 1) / GROUP * GROUP) { // also those that fill up the last group
        float4 a = sums[i];
        sums[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i >= begin && i < min(end, n)) {
            a = make_float4(a.x * mass_unit, a.y * mass_unit, a.z * mass_unit, 0.0f);
            if (step > 0) { // the velocity was advanced with the old acceleration: correct it
                const float4 old = acceleration[i];
                float4 v = velocity[i];
                v.x += (a.x - old.x) * dthf;
                v.y += (a.y - old.y) * dthf;
                v.z += (a.z - old.z) * dthf;
                velocity[i] = v;
            }
            acceleration[i] = a;
        }
    }
}

extern "C" __global__ void advance()
{
    const int i = begin + threadIdx.x + blockIdx.x * blockDim.x;
    if (i < min(end, n)) { // own bodies; the last block may be only partly used
        const float4 a = acceleration[i];
        float4 p = body[i], v = velocity[i];
        const float vhx = v.x + a.x * dthf; // half a time step on
        const float vhy = v.y + a.y * dthf;
        const float vhz = v.z + a.z * dthf;
        p.x += vhx * dtime;
        p.y += vhy * dtime;
        p.z += vhz * dtime;
        v.x = vhx + a.x * dthf;
        v.y = vhy + a.y * dthf;
        v.z = vhz + a.z * dthf;
        body[i] = p;
        velocity[i] = v;
    }
}
