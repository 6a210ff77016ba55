// SPDX-License-Identifier: MIT OR Apache-2.0
// A tile of 32 rows is written by rows and read by columns: in how many passes do the banks serve the columns?

extern "C" __global__ void columns(float* out, const float* in, int width)
{
    __shared__ float tile[32 * 64];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = warp; row < 32; row += blockDim.x / 32) {
        tile[row * width + lane] = in[row * 32 + lane];
    }
    __syncthreads();
    for (int column = warp; column < 32; column += blockDim.x / 32) {
        out[column * 32 + lane] = tile[lane * width + column];
    }
}
