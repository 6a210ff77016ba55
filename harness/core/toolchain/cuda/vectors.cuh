// SPDX-License-Identifier: MIT OR Apache-2.0
// Vector types of one to four components and make_*. Those of two and four components are aligned as one access needs.
#pragma once
#pragma clang system_header

// A copy is one of each component: clang would make bytes of the whole, of which no access of 16 bytes comes.
#define LADDER_METHOD __attribute__((device, always_inline, nodebug))
#define LADDER_VECTORS(type, name, align2, align4)                                                               \
    struct name##1 { type x; };                                                                                  \
    struct __attribute__((aligned(align2))) name##2 {                                                            \
        type x, y;                                                                                               \
        name##2() = default;                                                                                     \
        LADDER_METHOD constexpr name##2(type x, type y) : x(x), y(y) {}                                          \
        LADDER_METHOD constexpr name##2(const name##2& v) : x(v.x), y(v.y) {}                                    \
        LADDER_METHOD name##2& operator=(const name##2& v)                                                       \
        {                                                                                                        \
            const type a = v.x, b = v.y;                                                                         \
            return x = a, y = b, *this;                                                                          \
        }                                                                                                        \
    };                                                                                                           \
    struct name##3 { type x, y, z; };                                                                            \
    struct __attribute__((aligned(align4))) name##4 {                                                            \
        type x, y, z, w;                                                                                         \
        name##4() = default;                                                                                     \
        LADDER_METHOD constexpr name##4(type x, type y, type z, type w) : x(x), y(y), z(z), w(w) {}              \
        LADDER_METHOD constexpr name##4(const name##4& v) : x(v.x), y(v.y), z(v.z), w(v.w) {}                    \
        LADDER_METHOD name##4& operator=(const name##4& v)                                                       \
        {                                                                                                        \
            const type a = v.x, b = v.y, c = v.z, d = v.w;                                                       \
            return x = a, y = b, z = c, w = d, *this;                                                            \
        }                                                                                                        \
    };                                                                                                           \
    LADDER_FUNCTION name##1 make_##name##1(type x) { return {x}; }                                               \
    LADDER_FUNCTION name##2 make_##name##2(type x, type y) { return {x, y}; }                                    \
    LADDER_FUNCTION name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                         \
    LADDER_FUNCTION name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
LADDER_VECTORS(signed char, char, 2, 4)
LADDER_VECTORS(unsigned char, uchar, 2, 4)
LADDER_VECTORS(short, short, 4, 8)
LADDER_VECTORS(unsigned short, ushort, 4, 8)
LADDER_VECTORS(int, int, 8, 16)
LADDER_VECTORS(unsigned int, uint, 8, 16)
LADDER_VECTORS(long, long, 16, 16)
LADDER_VECTORS(unsigned long, ulong, 16, 16)
LADDER_VECTORS(long long, longlong, 16, 16)
LADDER_VECTORS(unsigned long long, ulonglong, 16, 16)
LADDER_VECTORS(float, float, 8, 16)
LADDER_VECTORS(double, double, 16, 16)
#undef LADDER_VECTORS
#undef LADDER_METHOD

// A size whose missing components are 1.
struct dim3 {
    unsigned x, y, z;
    __attribute__((device, always_inline, nodebug)) constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z) {}
    __attribute__((device, always_inline, nodebug)) constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    __attribute__((device, always_inline, nodebug)) operator uint3() const { return {x, y, z}; }
};
