// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of tiles on tensor cores, by a whole warp: of half precision, with sums in half or single precision; of bfloat16
// and TF32, with sums in single precision; of bytes, with sums of 32 bits; of doubles.
#pragma once
#pragma clang system_header
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace nvcuda::wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32; // floats of which a product takes the upper 19 bits
}

// How many numbers of a tile a lane has: its share; of a factor of halves always 16, which other lanes have too.
template <class Use, class T> constexpr int ladder_count(int m, int n, int k)
{
    if (__is_same(Use, accumulator)) return m * n / 32;
    return __is_same(T, __half) ? 16 : (__is_same(Use, matrix_a) ? m : n) * k / 32;
}
// Their type, and as what the compiler's functions take them.
template <class T> struct ladder_part { using type = T; using word = int; }; // several in a word
template <> struct ladder_part<float> { using type = float; using word = float; };
template <> struct ladder_part<double> { using type = double; using word = double; };
template <> struct ladder_part<precision::tf32> { using type = float; using word = int; };

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    static constexpr int num_elements = ladder_count<Use, T>(m, n, k);
    alignas(typename ladder_part<T>::word) typename ladder_part<T>::type x[num_elements];
    __attribute__((device, always_inline, nodebug)) typename ladder_part<T>::word* ladder_parts() const
    {
        return (typename ladder_part<T>::word*)x;
    }
};

template <class Use, int m, int n, int k, class T, class Layout, class X>
LADDER_FUNCTION void fill_fragment(fragment<Use, m, n, k, T, Layout>& tile, const X& x)
{
#pragma unroll
    for (int i = 0; i < tile.num_elements; i++) tile.x[i] = x;
}

constexpr int ladder_order(row_major*) { return 0; }
constexpr int ladder_order(col_major*) { return 1; }

// The compiler's own functions for a shape. Orders are numbers: 0 for rows, 1 for columns; of both factors, 2 a + b.
#define LADDER_SUM(m, n, k, T, load, store)                                                                      \
    LADDER_FUNCTION void load_matrix_sync(fragment<accumulator, m, n, k, T>& tile, const T* from,                \
                                          unsigned stride, layout_t layout)                                      \
    {                                                                                                            \
        const auto words = (const ladder_part<T>::word*)from;                                                    \
        if (layout == mem_row_major) load(tile.ladder_parts(), words, stride, 0);                                \
        else load(tile.ladder_parts(), words, stride, 1);                                                        \
    }                                                                                                            \
    LADDER_FUNCTION void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& tile,                 \
                                           unsigned stride, layout_t layout)                                     \
    {                                                                                                            \
        const auto words = (ladder_part<T>::word*)to;                                                            \
        if (layout == mem_row_major) store(words, tile.ladder_parts(), stride, 0);                               \
        else store(words, tile.ladder_parts(), stride, 1);                                                       \
    }
#define LADDER_FACTOR(use, m, n, k, T, load)                                                                     \
    template <class Layout>                                                                                      \
    LADDER_FUNCTION void load_matrix_sync(fragment<use, m, n, k, T, Layout>& tile,                               \
                                          const ladder_part<T>::type* from, unsigned stride)                     \
    {                                                                                                            \
        load(tile.ladder_parts(), (const ladder_part<T>::word*)from, stride, ladder_order((Layout*)0));          \
    }
#define LADDER_PRODUCT(m, n, k, T, S, product)                                                                   \
    template <class A, class B>                                                                                  \
    LADDER_FUNCTION void mma_sync(fragment<accumulator, m, n, k, S>& sum,                                        \
                                  const fragment<matrix_a, m, n, k, T, A>& a,                                    \
                                  const fragment<matrix_b, m, n, k, T, B>& b,                                    \
                                  const fragment<accumulator, m, n, k, S>& c)                                    \
    {                                                                                                            \
        product(sum.ladder_parts(), a.ladder_parts(), b.ladder_parts(), c.ladder_parts(),                        \
                2 * ladder_order((A*)0) + ladder_order((B*)0), 0);                                               \
    }
#define LADDER_FACTORS(m, n, k, T, load_a, load_b)                                                               \
    LADDER_FACTOR(matrix_a, m, n, k, T, load_a)                                                                  \
    LADDER_FACTOR(matrix_b, m, n, k, T, load_b)
#define LADDER_HALVES(shape, m, n, k)                                                                            \
    LADDER_FACTORS(m, n, k, __half, __hmma_##shape##_ld_a, __hmma_##shape##_ld_b)                                \
    LADDER_SUM(m, n, k, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32)                             \
    LADDER_SUM(m, n, k, __half, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)                            \
    LADDER_PRODUCT(m, n, k, __half, float, __hmma_##shape##_mma_f32f32)                                          \
    LADDER_PRODUCT(m, n, k, __half, __half, __hmma_##shape##_mma_f16f16)
#define LADDER_BYTES(shape, m, n, k)                                                                             \
    LADDER_FACTORS(m, n, k, signed char, __imma_##shape##_ld_a_s8, __imma_##shape##_ld_b_s8)                     \
    LADDER_FACTORS(m, n, k, unsigned char, __imma_##shape##_ld_a_u8, __imma_##shape##_ld_b_u8)                   \
    LADDER_SUM(m, n, k, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)                                   \
    LADDER_PRODUCT(m, n, k, signed char, int, __imma_##shape##_mma_s8)                                           \
    LADDER_PRODUCT(m, n, k, unsigned char, int, __imma_##shape##_mma_u8)
#define LADDER_BFLOATS(shape, m, n, k)                                                                           \
    LADDER_FACTORS(m, n, k, __nv_bfloat16, __mma_bf16_##shape##_ld_a, __mma_bf16_##shape##_ld_b)                 \
    LADDER_PRODUCT(m, n, k, __nv_bfloat16, float, __mma_bf16_##shape##_mma_f32)
#define LADDER_SHAPES(kind)                                                                                      \
    kind(m16n16k16, 16, 16, 16)                                                                                  \
    kind(m32n8k16, 32, 8, 16)                                                                                    \
    kind(m8n32k16, 8, 32, 16)
LADDER_SHAPES(LADDER_HALVES)
#if __CUDA_ARCH__ >= 720
LADDER_SHAPES(LADDER_BYTES)
#endif
#if __CUDA_ARCH__ >= 800
LADDER_SHAPES(LADDER_BFLOATS)
LADDER_FACTORS(16, 16, 8, precision::tf32, __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b)
LADDER_SUM(16, 16, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
LADDER_PRODUCT(16, 16, 8, precision::tf32, float, __mma_tf32_m16n16k8_mma_f32)
LADDER_FACTORS(8, 8, 4, double, __dmma_m8n8k4_ld_a, __dmma_m8n8k4_ld_b)
LADDER_SUM(8, 8, 4, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
LADDER_PRODUCT(8, 8, 4, double, double, __dmma_m8n8k4_mma_f64)
#endif
LADDER_FUNCTION float __float_to_tf32(float x)
{
    unsigned bits;
    LADDER_PURE("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}
#undef LADDER_SHAPES
#undef LADDER_BFLOATS
#undef LADDER_BYTES
#undef LADDER_HALVES
#undef LADDER_FACTORS
#undef LADDER_PRODUCT
#undef LADDER_FACTOR
#undef LADDER_SUM
} // namespace nvcuda::wmma
