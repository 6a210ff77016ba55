// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 1: the smallest cube around all bodies becomes the root of the tree, its last node.

#define HUGE 3.4e38f // further away than any body

// The least of each of six numbers over the threads of a block, in its first thread.
__device__ void least(float value[6])
{
    __shared__ float of_warp[32][6];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
    for (int k = 0; k < 6; k++) {
        for (int step = 16; step > 0; step /= 2) {
            value[k] = fminf(value[k], __shfl_xor_sync(0xffffffff, value[k], step));
        }
        if (lane == 0) {
            of_warp[warp][k] = value[k];
        }
    }
    __syncthreads(); // what each warp found is there
    if (warp == 0) {
#pragma unroll
        for (int k = 0; k < 6; k++) {
            value[k] = lane < warps ? of_warp[lane][k] : HUGE;
            for (int step = 16; step > 0; step /= 2) {
                value[k] = fminf(value[k], __shfl_xor_sync(0xffffffff, value[k], step));
            }
        }
    }
}

extern "C" __global__ void box(int n, int nodes, float* x, float* y, float* z, float* m, int* child, int* start, int* bottom, int* full,
    float* half_side, volatile float* boxes, unsigned int* ticket)
{
    // The least x, y, z, −x, −y and −z: a greatest number is the least one of the other sign.
    float value[6] = {HUGE, HUGE, HUGE, HUGE, HUGE, HUGE};
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        const float at[3] = {x[i], y[i], z[i]};
#pragma unroll
        for (int k = 0; k < 3; k++) {
            value[k] = fminf(value[k], at[k]);
            value[k + 3] = fminf(value[k + 3], -at[k]);
        }
    }
    least(value);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
#pragma unroll
        for (int k = 0; k < 6; k++) {
            boxes[6 * blockIdx.x + k] = value[k];
        }
        __threadfence(); // the box is visible before the count
        is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1; // it wraps around, ready for the next time step
    }
    __syncthreads(); // all know whether theirs is the last block
    if (!is_last) {
        return;
    }
    __threadfence(); // boxes are read after the count
#pragma unroll
    for (int k = 0; k < 6; k++) {
        value[k] = HUGE;
        for (int block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
            value[k] = fminf(value[k], boxes[6 * block + k]);
        }
    }
    least(value);
    if (threadIdx.x == 0) {
        const int root = nodes - 1;
        x[root] = 0.5f * (value[0] - value[3]);
        y[root] = 0.5f * (value[1] - value[4]);
        z[root] = 0.5f * (value[2] - value[5]);
        *half_side = -0.5f * fminf(fminf(value[0] + value[3], value[1] + value[4]), value[2] + value[5]);
        m[root] = -1.0f; // not known yet
        start[root] = 0;
        for (int k = 0; k < 8; k++) {
            child[8 * (root - n) + k] = -1;
        }
        *bottom = root;
        *full = 0;
    }
}
