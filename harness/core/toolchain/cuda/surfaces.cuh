// SPDX-License-Identifier: MIT OR Apache-2.0
// Surface objects: bytes of a texel are read and written as they are; x counts bytes.
#pragma once
#pragma clang system_header

typedef unsigned long long cudaSurfaceObject_t;

// What an access outside of the surface does: read 0 and write nothing, take the nearest texel, or end the kernel.
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

// The words that a type's bytes are moved in: one of 8, 16 or 32 bits, or two or four of 32.
template <int bytes> struct ladder_words;
template <> struct ladder_words<1> { unsigned char x; };
template <> struct ladder_words<2> { unsigned short x; };
template <> struct ladder_words<4> { unsigned x; };
template <> struct ladder_words<8> { unsigned x, y; };
template <> struct ladder_words<16> { unsigned x, y, z, w; };

#define LADDER_LIST(...) __VA_ARGS__
// One instruction for each size; an 8-bit word is in a register of 16 bits.
#define LADDER_STORE(geometry, mode, at, ...)                                                                    \
    if constexpr (sizeof(T) == 1)                                                                                \
        asm volatile("sust.b." geometry ".b8." mode " [%0, " at "], {%1};"                                       \
                     : : "l"(surface), "h"((unsigned short)words.x), __VA_ARGS__ : "memory");                    \
    else if constexpr (sizeof(T) == 2)                                                                           \
        asm volatile("sust.b." geometry ".b16." mode " [%0, " at "], {%1};"                                      \
                     : : "l"(surface), "h"(words.x), __VA_ARGS__ : "memory");                                    \
    else if constexpr (sizeof(T) == 4)                                                                           \
        asm volatile("sust.b." geometry ".b32." mode " [%0, " at "], {%1};"                                      \
                     : : "l"(surface), "r"(words.x), __VA_ARGS__ : "memory");                                    \
    else if constexpr (sizeof(T) == 8)                                                                           \
        asm volatile("sust.b." geometry ".v2.b32." mode " [%0, " at "], {%1, %[y]};"                             \
                     : : "l"(surface), "r"(words.x), __VA_ARGS__, [y] "r"(words.y) : "memory");                  \
    else                                                                                                         \
        asm volatile("sust.b." geometry ".v4.b32." mode " [%0, " at "], {%1, %[y], %[z], %[w]};"                 \
                     : : "l"(surface), "r"(words.x), __VA_ARGS__, [y] "r"(words.y), [z] "r"(words.z),            \
                       [w] "r"(words.w) : "memory");
#define LADDER_LOAD(geometry, mode, at, ...)                                                                     \
    if constexpr (sizeof(T) == 1) {                                                                              \
        unsigned short x;                                                                                        \
        asm volatile("suld.b." geometry ".b8." mode " {%0}, [%1, " at "];"                                       \
                     : "=h"(x) : "l"(surface), __VA_ARGS__ : "memory");                                          \
        words.x = (unsigned char)x;                                                                              \
    } else if constexpr (sizeof(T) == 2)                                                                         \
        asm volatile("suld.b." geometry ".b16." mode " {%0}, [%1, " at "];"                                      \
                     : "=h"(words.x) : "l"(surface), __VA_ARGS__ : "memory");                                    \
    else if constexpr (sizeof(T) == 4)                                                                           \
        asm volatile("suld.b." geometry ".b32." mode " {%0}, [%1, " at "];"                                      \
                     : "=r"(words.x) : "l"(surface), __VA_ARGS__ : "memory");                                    \
    else if constexpr (sizeof(T) == 8)                                                                           \
        asm volatile("suld.b." geometry ".v2.b32." mode " {%0, %[second]}, [%[surface], " at "];"                \
                     : "=r"(words.x), [second] "=r"(words.y) : [surface] "l"(surface), __VA_ARGS__ : "memory");  \
    else                                                                                                         \
        asm volatile("suld.b." geometry ".v4.b32." mode " {%0, %[second], %[third], %[fourth]}, [%[surface], "   \
                     at "];"                                                                                     \
                     : "=r"(words.x), [second] "=r"(words.y), [third] "=r"(words.z), [fourth] "=r"(words.w)      \
                     : [surface] "l"(surface), __VA_ARGS__ : "memory");
#define LADDER_BY_MODE(access, geometry, at, ...)                                                                \
    if (mode == cudaBoundaryModeTrap) {                                                                          \
        access(geometry, "trap", at, __VA_ARGS__)                                                                \
    } else if (mode == cudaBoundaryModeClamp) {                                                                  \
        access(geometry, "clamp", at, __VA_ARGS__)                                                               \
    } else {                                                                                                     \
        access(geometry, "zero", at, __VA_ARGS__)                                                                \
    }
#define LADDER_SURFACE(dimensions, geometry, at, parameters, arguments, ...)                                     \
    template <class T>                                                                                           \
    LADDER_FUNCTION void surf##dimensions##write(T value, cudaSurfaceObject_t surface, parameters,               \
                                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                                            \
        ladder_words<sizeof(T)> words;                                                                           \
        __builtin_memcpy(&words, &value, sizeof words);                                                          \
        LADDER_BY_MODE(LADDER_STORE, geometry, at, __VA_ARGS__)                                                  \
    }                                                                                                            \
    template <class T>                                                                                           \
    LADDER_FUNCTION T surf##dimensions##read(cudaSurfaceObject_t surface, parameters,                            \
                                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                \
    {                                                                                                            \
        ladder_words<sizeof(T)> words;                                                                           \
        LADDER_BY_MODE(LADDER_LOAD, geometry, at, __VA_ARGS__)                                                   \
        T value;                                                                                                 \
        __builtin_memcpy(&value, &words, sizeof words);                                                          \
        return value;                                                                                            \
    }                                                                                                            \
    template <class T>                                                                                           \
    LADDER_FUNCTION void surf##dimensions##read(T* result, cudaSurfaceObject_t surface, parameters,              \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                                            \
        *result = surf##dimensions##read<T>(surface, arguments, mode);                                           \
    }
LADDER_SURFACE(1D, "1d", "{%[i]}", int x, x, [i] "r"(x))
LADDER_SURFACE(2D, "2d", "{%[i], %[j]}", LADDER_LIST(int x, int y), LADDER_LIST(x, y), [i] "r"(x), [j] "r"(y))
LADDER_SURFACE(3D, "3d", "{%[i], %[j], %[k], %[k]}", LADDER_LIST(int x, int y, int z), LADDER_LIST(x, y, z), [i] "r"(x),
               [j] "r"(y), [k] "r"(z))
LADDER_SURFACE(1DLayered, "a1d", "{%[i], %[j]}", LADDER_LIST(int x, int layer), LADDER_LIST(x, layer), [i] "r"(layer),
               [j] "r"(x))
LADDER_SURFACE(2DLayered, "a2d", "{%[i], %[j], %[k], %[k]}", LADDER_LIST(int x, int y, int layer),
               LADDER_LIST(x, y, layer), [i] "r"(layer), [j] "r"(x), [k] "r"(y))
#undef LADDER_SURFACE
#undef LADDER_BY_MODE
#undef LADDER_LOAD
#undef LADDER_STORE
#undef LADDER_LIST
