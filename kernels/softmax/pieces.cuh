// SPDX-License-Identifier: MIT OR Apache-2.0
// Four elements of a row for each of `LANES` lanes of a warp: four neighbours if that is possible, else every so many.

// The first of the 128 elements that a warp takes of a row, if blocks take pieces from `first` on.
__device__ __forceinline__ int of_warp_from(int first)
{
    return first + threadIdx.x / 32 * 128;
}

// A piece of the 4 `LANES` elements from `first` on. Elements beyond the end are minus infinity, whose exponential is 0.
template <int LANES = 32> __device__ __forceinline__ float4 load4(const float *row, int first, int columns)
{
    const float none = __int_as_float(0xff800000);
    const int lane = threadIdx.x % LANES;
    float4 piece = make_float4(none, none, none, none);
    if (columns % 4 == 0) {
        if (first + 4 * lane < columns) {
            piece = *(const float4 *)(row + first + 4 * lane);
        }
        return piece;
    }
    const int at = first + lane;
    if (at < columns) {
        piece.x = row[at];
    }
    if (at + LANES < columns) {
        piece.y = row[at + LANES];
    }
    if (at + 2 * LANES < columns) {
        piece.z = row[at + 2 * LANES];
    }
    if (at + 3 * LANES < columns) {
        piece.w = row[at + 3 * LANES];
    }
    return piece;
}

// The other way round.
template <int LANES = 32> __device__ __forceinline__ void store4(float *row, int first, int columns, float4 piece)
{
    const int lane = threadIdx.x % LANES;
    if (columns % 4 == 0) {
        if (first + 4 * lane < columns) {
            ((float4 *)(row + first))[lane] = piece;
        }
        return;
    }
    const int at = first + lane;
    if (at < columns) {
        row[at] = piece.x;
    }
    if (at + LANES < columns) {
        row[at + LANES] = piece.y;
    }
    if (at + 2 * LANES < columns) {
        row[at + 2 * LANES] = piece.z;
    }
    if (at + 3 * LANES < columns) {
        row[at + 3 * LANES] = piece.w;
    }
}

__device__ __forceinline__ float max4(float4 piece)
{
    return fmaxf(fmaxf(piece.x, piece.y), fmaxf(piece.z, piece.w));
}

__device__ __forceinline__ float sum4(float4 piece)
{
    return piece.x + piece.y + (piece.z + piece.w);
}

// The exponentials of elements relative to `most`.
__device__ __forceinline__ float4 exp4(float4 piece, float most)
{
    return make_float4(expf(piece.x - most), expf(piece.y - most), expf(piece.z - most), expf(piece.w - most));
}

__device__ __forceinline__ float4 scale4(float4 piece, float by)
{
    return make_float4(by * piece.x, by * piece.y, by * piece.z, by * piece.w);
}
