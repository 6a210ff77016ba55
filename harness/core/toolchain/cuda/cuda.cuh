// SPDX-License-Identifier: MIT OR Apache-2.0
// CUDA C++ for clang without NVIDIA's files: what a kernel may use without including anything. clang reads this file before
// the kernel. Written from NVIDIA's public documentation: the CUDA C++ Programming Guide, the CUDA Math API, the PTX ISA.
#pragma once
#pragma clang system_header

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) // LLVM's PTX has no such: who launches the kernel says it
#if __has_attribute(grid_constant)
#define __grid_constant__ __attribute__((grid_constant))
#else
#define __grid_constant__
#endif

#define __assume(condition) __builtin_assume(condition)

// Functions of these headers have no lines of their own: what they compute belongs to the line that calls them.
#define LADDER_FUNCTION static __inline__ __attribute__((device, always_inline, nodebug))

// Instructions of one thread alone. clang takes all others for such that lanes must reach together, and unrolls no loop with
// one whose number of rounds it does not know.
#if __has_cpp_attribute(clang::noconvergent)
#define LADDER_PURE(...) [[clang::noconvergent]] { asm(__VA_ARGS__); }
#else
#define LADDER_PURE(...) asm(__VA_ARGS__)
#endif

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#define NULL 0
typedef struct CUstream_st* cudaStream_t; // for declarations of the host's that a kernel's file may have

// NVRTC knows these two of C++'s library.
namespace std {
template <class T> __host__ __device__ constexpr __remove_reference_t(T)&& move(T&& x)
{
    return static_cast<__remove_reference_t(T)&&>(x);
}
template <class T> __host__ __device__ constexpr T&& forward(__remove_reference_t(T)& x)
{
    return static_cast<T&&>(x);
}
} // namespace std

#include "vectors.cuh"

// The built-in variables. Each component is read where it is used.
#define LADDER_COMPONENT(name, component, call)                                                                  \
    __declspec(property(get = get_##component)) unsigned component;                                              \
    static __inline__ __attribute__((device, always_inline, nodebug)) unsigned get_##component() { return call; }
#define LADDER_VARIABLE(name, prefix, as)                                                                        \
    struct ladder_##name {                                                                                       \
        LADDER_COMPONENT(name, x, __nvvm_read_ptx_sreg_##prefix##_x())                                           \
        LADDER_COMPONENT(name, y, __nvvm_read_ptx_sreg_##prefix##_y())                                           \
        LADDER_COMPONENT(name, z, __nvvm_read_ptx_sreg_##prefix##_z())                                           \
        __attribute__((device, always_inline, nodebug)) operator as() const { return as{x, y, z}; }              \
    };                                                                                                           \
    extern const __attribute__((device, weak)) ladder_##name name;
LADDER_VARIABLE(threadIdx, tid, uint3)
LADDER_VARIABLE(blockIdx, ctaid, uint3)
LADDER_VARIABLE(blockDim, ntid, dim3)
LADDER_VARIABLE(gridDim, nctaid, dim3)
#undef LADDER_VARIABLE
#undef LADDER_COMPONENT
#define warpSize 32

#include "bits.cuh"
#include "rounding.cuh"
#include "math.cuh"
#include "exponentials.cuh"
#include "angles.cuh"
#include "errors.cuh"
#include "bessel.cuh"
#include "lanes.cuh"
#include "threads.cuh"
#include "atomics.cuh"
#include "memory.cuh"
#include "textures.cuh"
#include "surfaces.cuh"

#undef LADDER_ONE
#undef LADDER_TWO
#undef LADDER_AND
#undef LADDER_FAST
#undef LADDER_POLYNOMIAL
#undef LADDER_UNARY
#undef LADDER_FLUSH
#undef LADDER_BITS
#undef LADDER_T
