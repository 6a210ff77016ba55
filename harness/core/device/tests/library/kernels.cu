// SPDX-License-Identifier: MIT OR Apache-2.0
// What kernels include of CUDA's library, a kernel for each part.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/utility>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

// c = 2 a b, of 16 rows and columns; a is stored by rows, b by columns.
template <class T> __device__ void product(const half* a, const half* b, T* c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> sum;
    wmma::fill_fragment(sum, T(0.0f));
    wmma::load_matrix_sync(x, a, 16);
    wmma::load_matrix_sync(y, b, 16);
    wmma::mma_sync(sum, x, y, sum);
    for (int i = 0; i < sum.num_elements; i++) {
        sum.x[i] = sum.x[i] + sum.x[i];
    }
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

extern "C" __global__ void tiles(const float* in, float* out)
{
    __shared__ half a[256], b[256], sums[256];
    __shared__ float exact[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        a[i] = __float2half(in[i % 64]);
        b[i] = __float2half(i % 17 == 0 ? 1.0f : 0.0f); // the identity
    }
    __syncwarp();
    product(a, b, exact);
    product(a, b, sums);
    __syncwarp();
    for (int i = threadIdx.x; i < 64; i += 32) {
        out[i] = exact[i] + __half2float(sums[i]);
    }
}

// Each element changes places with its mirror image, across the whole grid.
extern "C" __global__ void grid(const float* in, float* out)
{
    const cg::grid_group grid = cg::this_grid();
    const unsigned i = grid.thread_rank();
    out[i] = in[i];
    grid.sync();
    const float mirrored = out[grid.size() - 1 - i];
    grid.sync();
    out[i] = mirrored;
}

// The first block leaves a number, and then says so; the others take it.
__device__ unsigned ready, taken;
__device__ float left;
extern "C" __global__ void message(const float* in, float* out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(ready), count(taken);
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            left = in[5];
            flag.store(1, cuda::memory_order_release);
        }
        while (flag.load(cuda::std::memory_order_acquire) == 0) {}
        count.fetch_add(1, cuda::memory_order_relaxed);
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = left;
}

// A last arrival sees what all others wrote before they arrived.
__device__ cuda::atomic<int, cuda::thread_scope_device> arrived;
extern "C" __global__ void arrivals(const float* in, float* out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> least;
    __shared__ bool is_last;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        least = cuda::std::numeric_limits<int>::max();
    }
    __syncthreads();
    least.fetch_min((int)in[i], cuda::memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = (float)least.load();
        is_last = arrived.fetch_add(1, cuda::memory_order_acq_rel) + 1 == (int)gridDim.x;
    }
    __syncthreads();
    if (is_last) {
        for (unsigned j = gridDim.x + threadIdx.x; j < gridDim.x * blockDim.x; j += blockDim.x) {
            out[j] = out[j % gridDim.x];
        }
    }
}

// Tiles are mirrored one after the other: none is overwritten before it was read.
extern "C" __global__ void barriers(const float* in, float* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ float tile[16];
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
    }
    __syncthreads();
    for (int first = 0; first < 64; first += 16) {
        tile[threadIdx.x] = in[first + threadIdx.x];
        bar.arrive_and_wait();
        out[first + threadIdx.x] = tile[15 - threadIdx.x];
        auto token = bar.arrive();
        bar.wait(cuda::std::move(token));
    }
}

// The next tile is copied while one is used.
extern "C" __global__ void copies(const float* in, float* out)
{
    __shared__ alignas(16) float tile[2][16];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const cg::thread_block block = cg::this_thread_block();
    for (int round = 0; round < 5; round++) {
        if (round < 4) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[round % 2], in + 16 * round, sizeof(tile[0]), pipe);
            pipe.producer_commit();
        }
        if (round > 0) {
            if (round < 4) {
                cuda::pipeline_consumer_wait_prior<1>(pipe);
            } else {
                cuda::pipeline_consumer_wait_prior<0>(pipe);
            }
            block.sync();
            out[16 * (round - 1) + threadIdx.x] = tile[(round - 1) % 2][15 - threadIdx.x];
            block.sync();
        }
    }
    cg::memcpy_async(block, tile[0], in, sizeof(tile[0]));
    cg::wait(block);
    out[threadIdx.x] += tile[0][threadIdx.x];
}

struct Shape {
    float side;
    __device__ Shape(float side) : side(side) {}
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const { return side * side; }
};
struct Half : Shape {
    __device__ Half(float side) : Shape(side) {}
    __device__ float area() const override { return side * side / 2; }
};

// Objects in the heap and at a place, and their virtual functions.
extern "C" __global__ void objects(const float* in, float* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    alignas(Shape) char room[sizeof(Shape)];
    Shape* shape = in[i] < 32 ? new Shape(in[i]) : new Half(in[i]);
    Shape* placed = new (room) Shape(3);
    float* copies = new float[3];
    for (int k = 0; k < 3; k++) copies[k] = k * in[i];
    out[i] = shape->area() + placed->area() + copies[i % 3];
    delete[] copies;
    delete shape;
}
