// SPDX-License-Identifier: MIT OR Apache-2.0
// Squared distances as products of matrices, and a group that meets a tile of partners with them (step 17).
// The kernel declares `moments`, `bodies`, `partners`, `epssq`, `mass_unit`, WARP, TILE, TILES, ALL and FLUSH.

#include "sums.cuh"

// The row and the column of body `i` in the product that gives squared distances: p p + q q + softening - 2 p q.
__device__ __forceinline__ void prepare_distances(int i, float4 p)
{
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
