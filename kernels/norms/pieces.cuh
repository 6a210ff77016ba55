// SPDX-License-Identifier: MIT OR Apache-2.0
// Pieces of a row: four elements for each of `LANES` lanes. They are neighbours if rows begin at multiples of 16 bytes, that is, if
// the number of columns is a multiple of four; otherwise every `LANES`-th, so that a load still reads neighbours.

// Where a thread's pieces begin, if its block takes those from `first` on: a warp has 128 neighbours.
__device__ __forceinline__ int of_warp_from(int first)
{
    return first + threadIdx.x / 32 * 128;
}

// How many elements of a piece a row has: the first ones.
template <int LANES = 32> __device__ __forceinline__ int held(int first, int columns)
{
    const int lane = threadIdx.x % LANES;
    if (columns % 4 == 0) {
        return first + 4 * lane < columns ? 4 : 0;
    }
    return min(max(columns - first - lane + LANES - 1, 0) / LANES, 4);
}

// A piece; 0 for elements that the row does not have.
template <int LANES = 32> __device__ __forceinline__ float4 load4(const float *row, int first, int columns)
{
    const int lane = threadIdx.x % LANES, count = held<LANES>(first, columns);
    float4 piece = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (columns % 4 == 0) {
        return count > 0 ? ((const float4 *)(row + first))[lane] : piece;
    }
    row += first + lane;
    if (count > 0) {
        piece.x = row[0];
    }
    if (count > 1) {
        piece.y = row[LANES];
    }
    if (count > 2) {
        piece.z = row[2 * LANES];
    }
    if (count > 3) {
        piece.w = row[3 * LANES];
    }
    return piece;
}

// The other way round.
template <int LANES = 32> __device__ __forceinline__ void store4(float *row, int first, int columns, float4 piece)
{
    const int lane = threadIdx.x % LANES, count = held<LANES>(first, columns);
    if (columns % 4 == 0) {
        if (count > 0) {
            ((float4 *)(row + first))[lane] = piece;
        }
        return;
    }
    row += first + lane;
    if (count > 0) {
        row[0] = piece.x;
    }
    if (count > 1) {
        row[LANES] = piece.y;
    }
    if (count > 2) {
        row[2 * LANES] = piece.z;
    }
    if (count > 3) {
        row[3 * LANES] = piece.w;
    }
}

__device__ __forceinline__ float sum4(float4 piece)
{
    return piece.x + piece.y + (piece.z + piece.w);
}

// The distances of the first `count` elements from `mean`; 0 for the others.
__device__ __forceinline__ float4 apart4(float4 piece, float mean, int count)
{
    return make_float4(count > 0 ? piece.x - mean : 0.0f, count > 1 ? piece.y - mean : 0.0f,
                       count > 2 ? piece.z - mean : 0.0f, count > 3 ? piece.w - mean : 0.0f);
}

__device__ __forceinline__ float squares4(float4 piece)
{
    return piece.x * piece.x + piece.y * piece.y + (piece.z * piece.z + piece.w * piece.w);
}

// The results of distances from the mean.
__device__ __forceinline__ float4 results4(float4 apart, float scale, float4 weight, float4 bias)
{
    return make_float4(apart.x * scale * weight.x + bias.x, apart.y * scale * weight.y + bias.y,
                       apart.z * scale * weight.z + bias.z, apart.w * scale * weight.w + bias.w);
}
