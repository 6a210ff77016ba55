// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of tiles on tensor cores, by a whole warp: half precision, sums in half or single precision.
#pragma once
#pragma clang system_header
#include <cuda_fp16.h>

namespace nvcuda::wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <class T> struct ladder_part { using type = int; }; // two halves
template <> struct ladder_part<float> { using type = float; };

// A lane's part of a tile: 16 numbers of a factor, some of which another lane has too, and 8 of a sum.
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = __is_same(Use, accumulator) ? 8 : 16;
    alignas(4) T x[num_elements];
    __attribute__((device, always_inline, nodebug)) typename ladder_part<T>::type* ladder_parts() const
    {
        return (typename ladder_part<T>::type*)x;
    }
};

template <class Use, int m, int n, int k, class T, class Layout>
LADDER_FUNCTION void fill_fragment(fragment<Use, m, n, k, T, Layout>& tile, const T& x)
{
#pragma unroll
    for (int i = 0; i < tile.num_elements; i++) tile.x[i] = x;
}

constexpr int ladder_order(row_major*) { return 0; }
constexpr int ladder_order(col_major*) { return 1; }

// The compiler's own functions for a shape. Orders are numbers: 0 for rows, 1 for columns; of both factors, 2 a + b.
#define LADDER_SUM(shape, m, n, k, T, name)                                                                      \
    LADDER_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, T>& tile, const T* from,                \
                                          unsigned stride, layout_t layout)                                      \
    {                                                                                                            \
        if (layout == mem_row_major) {                                                                           \
            __hmma_##shape##_ld_c_##name(tile.ladder_parts(), (const ladder_part<T>::type*)from, stride, 0); \
        } else {                                                                                                 \
            __hmma_##shape##_ld_c_##name(tile.ladder_parts(), (const ladder_part<T>::type*)from, stride, 1); \
        }                                                                                                        \
    }                                                                                                            \
    LADDER_FUNCTION void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& tile,                 \
                                           unsigned stride, layout_t layout)                                     \
    {                                                                                                            \
        if (layout == mem_row_major) {                                                                           \
            __hmma_##shape##_st_c_##name((ladder_part<T>::type*)to, tile.ladder_parts(), stride, 0);     \
        } else {                                                                                                 \
            __hmma_##shape##_st_c_##name((ladder_part<T>::type*)to, tile.ladder_parts(), stride, 1);     \
        }                                                                                                        \
    }                                                                                                            \
    template <class A, class B>                                                                                  \
    LADDER_FUNCTION void mma_sync(fragment<accumulator, m, n, k, T>& sum,                                        \
                                  const fragment<matrix_a, m, n, k, __half, A>& a,                               \
                                  const fragment<matrix_b, m, n, k, __half, B>& b,                               \
                                  const fragment<accumulator, m, n, k, T>& c)                                    \
    {                                                                                                            \
        __hmma_##shape##_mma_##name##name(sum.ladder_parts(), a.ladder_parts(), b.ladder_parts(),                \
                                          c.ladder_parts(), 2 * ladder_order((A*)0) + ladder_order((B*)0), 0);   \
    }
#define LADDER_SHAPE(shape, m, n, k)                                                                             \
    template <class Layout>                                                                                      \
    LADDER_FUNCTION void load_matrix_sync(fragment<matrix_a, m, n, k, __half, Layout>& tile, const __half* from, \
                                          unsigned stride)                                                       \
    {                                                                                                            \
        __hmma_##shape##_ld_a(tile.ladder_parts(), (const int*)from, stride, ladder_order((Layout*)0));          \
    }                                                                                                            \
    template <class Layout>                                                                                      \
    LADDER_FUNCTION void load_matrix_sync(fragment<matrix_b, m, n, k, __half, Layout>& tile, const __half* from, \
                                          unsigned stride)                                                       \
    {                                                                                                            \
        __hmma_##shape##_ld_b(tile.ladder_parts(), (const int*)from, stride, ladder_order((Layout*)0));          \
    }                                                                                                            \
    LADDER_SUM(shape, m, n, k, float, f32)                                                                       \
    LADDER_SUM(shape, m, n, k, __half, f16)
LADDER_SHAPE(m16n16k16, 16, 16, 16)
LADDER_SHAPE(m32n8k16, 32, 8, 16)
LADDER_SHAPE(m8n32k16, 8, 32, 16)
#undef LADDER_SHAPE
#undef LADDER_SUM
} // namespace nvcuda::wmma
