// SPDX-License-Identifier: MIT OR Apache-2.0
// Rows of 128 elements of a warp, of which a tile consists (step 03).

__device__ unsigned int scan_warp(unsigned int own)
{
    for (unsigned int step = 1; step < 32; step *= 2) {
        const unsigned int before = __shfl_up_sync(0xffffffff, own, step);
        own += threadIdx.x % 32 >= step ? before : 0;
    }
    return own;
}

// The sums of the block's warps, each with those before it, from what each warp has in its last lane.
__device__ const unsigned int* scan_warps(unsigned int own)
{
    __shared__ unsigned int sum[WARPS];
    const unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 31) {
        sum[warp] = own;
    }
    __syncthreads(); // each warp's sum is there
    if (warp == 0) {
        const unsigned int all = scan_warp(lane < WARPS ? sum[lane] : 0);
        if (lane < WARPS) {
            sum[lane] = all;
        }
    }
    __syncthreads(); // they are scanned
    return sum;
}

__device__ uint4 load(unsigned int n, const unsigned int* in, unsigned int i)
{
    if (i + 4 <= n) {
        return *(const uint4*)(in + i);
    }
    return make_uint4(i < n ? in[i] : 0, i + 1 < n ? in[i + 1] : 0, i + 2 < n ? in[i + 2] : 0, 0);
}

__device__ void store(unsigned int n, unsigned int* out, unsigned int i, uint4 four, unsigned int before)
{
    if (i + 4 <= n) {
        *(uint4*)(out + i) = make_uint4(four.x + before, four.y + before, four.z + before, four.w + before);
        return;
    }
    if (i < n) {
        out[i] = four.x + before;
    }
    if (i + 1 < n) {
        out[i + 1] = four.y + before;
    }
    if (i + 2 < n) {
        out[i + 2] = four.z + before;
    }
}

// The first element of this thread in the first row of its warp.
__device__ unsigned int first(unsigned int tile)
{
    return tile * TILE + threadIdx.x / 32 * (TILE / WARPS) + threadIdx.x % 32 * 4;
}

// Scans the rows of a warp; the sum of all in its last lane.
__device__ unsigned int scan_rows(uint4 row[ROWS])
{
    unsigned int all = 0;
    for (unsigned int r = 0; r < ROWS; r++) {
        row[r].y += row[r].x;
        row[r].z += row[r].y;
        row[r].w += row[r].z;
        const unsigned int own = scan_warp(row[r].w);
        const unsigned int before = all + own - row[r].w;
        row[r].x += before;
        row[r].y += before;
        row[r].z += before;
        row[r].w += before;
        all += __shfl_sync(0xffffffff, own, 31);
    }
    return all;
}
