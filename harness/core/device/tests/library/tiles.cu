// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of tiles of every type and shape, of small whole numbers.
#include <mma.h>

using namespace nvcuda;

// sums = 1 + 2 a b, by columns, as 256 words at most. a is stored by rows, b by columns.
template <int m, int n, int k, class T, class E, class S>
__device__ void product(const unsigned* in, unsigned* out, E* factors, S* sums)
{
    for (int i = threadIdx.x; i < m * k; i += 32) factors[i] = E((int)(in[i % 32] >> i % 27 & 7));
    for (int i = threadIdx.x; i < k * n; i += 32) factors[m * k + i] = E((int)(in[i % 31] >> i % 23 & 7));
    __syncwarp();
    wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, m, n, k, S> sum;
    wmma::load_matrix_sync(a, factors, k);
    wmma::load_matrix_sync(b, factors + m * k, k);
    wmma::fill_fragment(sum, S(1));
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(sums, sum, n, wmma::mem_row_major);
    __syncwarp();
    wmma::load_matrix_sync(sum, sums, n, wmma::mem_row_major);
    wmma::mma_sync(sum, a, b, sum);
    __syncwarp();
    wmma::store_matrix_sync(sums, sum, m, wmma::mem_col_major);
    __syncwarp();
    for (int i = threadIdx.x; i < m * n; i += 32) out[i] = (unsigned)(float)sums[i];
    __syncwarp();
}

extern "C" __global__ void tiles(const unsigned* in, unsigned* out)
{
    __shared__ __align__(32) unsigned char factors[4096], sums[1024];
    product<16, 16, 16, half>(in, out, (half*)factors, (float*)sums);
    product<32, 8, 16, half>(in, out + 256, (half*)factors, (half*)sums);
    product<16, 16, 16, __nv_bfloat16>(in, out + 512, (__nv_bfloat16*)factors, (float*)sums);
    product<8, 32, 16, __nv_bfloat16>(in, out + 768, (__nv_bfloat16*)factors, (float*)sums);
    product<32, 8, 16, __nv_bfloat16>(in, out + 1024, (__nv_bfloat16*)factors, (float*)sums);
    product<16, 16, 8, wmma::precision::tf32>(in, out + 1280, (float*)factors, (float*)sums);
    product<16, 16, 16, signed char>(in, out + 1536, (signed char*)factors, (int*)sums);
    product<32, 8, 16, unsigned char>(in, out + 1792, (unsigned char*)factors, (int*)sums);
    product<8, 32, 16, signed char>(in, out + 2048, (signed char*)factors, (int*)sums);
    product<8, 8, 4, double>(in, out + 2304, (double*)factors, (double*)sums);
}
