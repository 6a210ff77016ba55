// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each element, in blocks of 32 x 32.
// Why:     a warp reads 32 neighbours of a row at once; what it writes lies in 32 different rows.
// Expect:  far below the bandwidth of the memory: each store of a warp touches 32 sectors of which it fills 4 bytes.

#define TILE 32 // rows and columns of a block

extern "C" __global__ void transpose(int rows, int columns, const float* in, float* out)
{
    const int column = threadIdx.x + blockIdx.x * TILE;
    const int row = threadIdx.y + blockIdx.y * TILE;
    if (row < rows && column < columns) {
        out[column * rows + row] = in[row * columns + column];
    }
}
