// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads and stores with hints for the caches, address spaces, the heap, and what a kernel prints.
#pragma once
#pragma clang system_header

#define LADDER_GLOBAL(type, address) ((__attribute__((address_space(1))) type*)(address))

// Loads of one access; __ldg and its like may pass through caches that are not kept coherent.
#define LADDER_LOAD_OF(name, instruction, is_volatile, type, width, c)                                           \
    LADDER_FUNCTION type name(const type* address)                                                               \
    {                                                                                                            \
        type x;                                                                                                  \
        LADDER_ASM_##is_volatile("ld.global." instruction "." width " %0, [%1];"                                 \
                        : "=" c(x) : "l"(LADDER_GLOBAL(const type, address)) : LADDER_CLOBBER_##is_volatile);    \
        return x;                                                                                                \
    }
#define LADDER_LOAD_2(name, instruction, is_volatile, type, width, c)                                            \
    LADDER_FUNCTION type name(const type* address)                                                               \
    {                                                                                                            \
        type x;                                                                                                  \
        LADDER_ASM_##is_volatile("ld.global." instruction ".v2." width " {%0, %1}, [%2];"                        \
                        : "=" c(x.x), "=" c(x.y)                                                                 \
                        : "l"(LADDER_GLOBAL(const type, address)) : LADDER_CLOBBER_##is_volatile);               \
        return x;                                                                                                \
    }
#define LADDER_LOAD_4(name, instruction, is_volatile, type, width, c)                                            \
    LADDER_FUNCTION type name(const type* address)                                                               \
    {                                                                                                            \
        type x;                                                                                                  \
        LADDER_ASM_##is_volatile("ld.global." instruction ".v4." width " {%0, %1, %2, %3}, [%4];"                \
                        : "=" c(x.x), "=" c(x.y), "=" c(x.z), "=" c(x.w)                                         \
                        : "l"(LADDER_GLOBAL(const type, address)) : LADDER_CLOBBER_##is_volatile);               \
        return x;                                                                                                \
    }
#define LADDER_ASM_(...) LADDER_PURE(__VA_ARGS__)
#define LADDER_ASM_volatile(...) asm volatile(__VA_ARGS__)
#define LADDER_CLOBBER_
#define LADDER_CLOBBER_volatile "memory"
// Bytes are loaded into registers of 16 bits.
#define LADDER_LOADS(name, instruction, is_volatile)                                                             \
    LADDER_LOAD_OF(name, instruction, is_volatile, signed char, "s8", "h")                                       \
    LADDER_LOAD_OF(name, instruction, is_volatile, unsigned char, "u8", "h")                                     \
    LADDER_LOAD_OF(name, instruction, is_volatile, short, "s16", "h")                                            \
    LADDER_LOAD_OF(name, instruction, is_volatile, unsigned short, "u16", "h")                                   \
    LADDER_LOAD_OF(name, instruction, is_volatile, int, "s32", "r")                                              \
    LADDER_LOAD_OF(name, instruction, is_volatile, unsigned, "u32", "r")                                         \
    LADDER_LOAD_OF(name, instruction, is_volatile, long, "s64", "l")                                             \
    LADDER_LOAD_OF(name, instruction, is_volatile, unsigned long, "u64", "l")                                    \
    LADDER_LOAD_OF(name, instruction, is_volatile, long long, "s64", "l")                                        \
    LADDER_LOAD_OF(name, instruction, is_volatile, unsigned long long, "u64", "l")                               \
    LADDER_LOAD_OF(name, instruction, is_volatile, float, "f32", "f")                                            \
    LADDER_LOAD_OF(name, instruction, is_volatile, double, "f64", "d")                                           \
    LADDER_LOAD_2(name, instruction, is_volatile, int2, "s32", "r")                                              \
    LADDER_LOAD_2(name, instruction, is_volatile, uint2, "u32", "r")                                             \
    LADDER_LOAD_2(name, instruction, is_volatile, float2, "f32", "f")                                            \
    LADDER_LOAD_2(name, instruction, is_volatile, double2, "f64", "d")                                           \
    LADDER_LOAD_4(name, instruction, is_volatile, int4, "s32", "r")                                              \
    LADDER_LOAD_4(name, instruction, is_volatile, uint4, "u32", "r")                                             \
    LADDER_LOAD_4(name, instruction, is_volatile, float4, "f32", "f")
LADDER_LOADS(__ldg, "nc", )
LADDER_LOADS(__ldca, "ca", volatile)
LADDER_LOADS(__ldcg, "cg", volatile)
LADDER_LOADS(__ldcs, "cs", volatile)
LADDER_LOADS(__ldlu, "lu", volatile)
LADDER_LOADS(__ldcv, "cv", volatile)
#undef LADDER_LOADS
#undef LADDER_ASM_
#undef LADDER_ASM_volatile
#undef LADDER_CLOBBER_
#undef LADDER_CLOBBER_volatile
#undef LADDER_LOAD_OF
#undef LADDER_LOAD_2
#undef LADDER_LOAD_4

#define LADDER_STORE_OF(name, instruction, type, width, c)                                                       \
    LADDER_FUNCTION void name(type* address, type x)                                                             \
    {                                                                                                            \
        asm volatile("st.global." instruction "." width " [%0], %1;"                                             \
                     : : "l"(LADDER_GLOBAL(type, address)), c(x) : "memory");                                    \
    }
#define LADDER_STORE_2(name, instruction, type, width, c)                                                        \
    LADDER_FUNCTION void name(type* address, type x)                                                             \
    {                                                                                                            \
        asm volatile("st.global." instruction ".v2." width " [%0], {%1, %2};"                                    \
                     : : "l"(LADDER_GLOBAL(type, address)), c(x.x), c(x.y) : "memory");                          \
    }
#define LADDER_STORE_4(name, instruction, type, width, c)                                                        \
    LADDER_FUNCTION void name(type* address, type x)                                                             \
    {                                                                                                            \
        asm volatile("st.global." instruction ".v4." width " [%0], {%1, %2, %3, %4};"                            \
                     : : "l"(LADDER_GLOBAL(type, address)), c(x.x), c(x.y), c(x.z), c(x.w) : "memory");          \
    }
#define LADDER_STORES(name, instruction)                                                                         \
    LADDER_STORE_OF(name, instruction, signed char, "s8", "h")                                                   \
    LADDER_STORE_OF(name, instruction, unsigned char, "u8", "h")                                                 \
    LADDER_STORE_OF(name, instruction, short, "s16", "h")                                                        \
    LADDER_STORE_OF(name, instruction, unsigned short, "u16", "h")                                               \
    LADDER_STORE_OF(name, instruction, int, "s32", "r")                                                          \
    LADDER_STORE_OF(name, instruction, unsigned, "u32", "r")                                                     \
    LADDER_STORE_OF(name, instruction, long, "s64", "l")                                                         \
    LADDER_STORE_OF(name, instruction, unsigned long, "u64", "l")                                                \
    LADDER_STORE_OF(name, instruction, long long, "s64", "l")                                                    \
    LADDER_STORE_OF(name, instruction, unsigned long long, "u64", "l")                                           \
    LADDER_STORE_OF(name, instruction, float, "f32", "f")                                                        \
    LADDER_STORE_OF(name, instruction, double, "f64", "d")                                                       \
    LADDER_STORE_2(name, instruction, int2, "s32", "r")                                                          \
    LADDER_STORE_2(name, instruction, uint2, "u32", "r")                                                         \
    LADDER_STORE_2(name, instruction, float2, "f32", "f")                                                        \
    LADDER_STORE_2(name, instruction, double2, "f64", "d")                                                       \
    LADDER_STORE_4(name, instruction, int4, "s32", "r")                                                          \
    LADDER_STORE_4(name, instruction, uint4, "u32", "r")                                                         \
    LADDER_STORE_4(name, instruction, float4, "f32", "f")
LADDER_STORES(__stwb, "wb")
LADDER_STORES(__stcg, "cg")
LADDER_STORES(__stcs, "cs")
LADDER_STORES(__stwt, "wt")
#undef LADDER_STORES
#undef LADDER_STORE_OF
#undef LADDER_STORE_2
#undef LADDER_STORE_4
#undef LADDER_GLOBAL

// An address in one memory as a number, and from a number.
#define LADDER_SPACE(name, space)                                                                                \
    LADDER_FUNCTION size_t __cvta_generic_to_##name(const void* address)                                         \
    {                                                                                                            \
        return (size_t)(__attribute__((address_space(space))) const void*)address;                               \
    }                                                                                                            \
    LADDER_FUNCTION void* __cvta_##name##_to_generic(size_t address)                                             \
    {                                                                                                            \
        return (void*)(__attribute__((address_space(space))) void*)address;                                      \
    }
LADDER_SPACE(global, 1)
LADDER_SPACE(shared, 3)
LADDER_SPACE(constant, 4)
LADDER_SPACE(local, 5)
#undef LADDER_SPACE
LADDER_FUNCTION unsigned __isGlobal(const void* address) { return __nvvm_isspacep_global(address); }
LADDER_FUNCTION unsigned __isShared(const void* address) { return __nvvm_isspacep_shared(address); }
LADDER_FUNCTION unsigned __isConstant(const void* address) { return __nvvm_isspacep_const(address); }
LADDER_FUNCTION unsigned __isLocal(const void* address) { return __nvvm_isspacep_local(address); }

extern "C" {
__device__ int printf(const char* format, ...); // clang passes its arguments on to vprintf
__device__ void* malloc(size_t bytes);
__device__ void free(void* address);
__device__ void __assertfail(const char* what, const char* file, unsigned line, const char* function, size_t width)
    __attribute__((noreturn));
}

// C++'s own functions for objects in the heap, and at a place.
#define LADDER_OPERATOR inline __attribute__((device, always_inline, nodebug))
LADDER_OPERATOR void* operator new(size_t bytes) { return malloc(bytes); }
LADDER_OPERATOR void* operator new[](size_t bytes) { return malloc(bytes); }
LADDER_OPERATOR void* operator new(size_t, void* place) noexcept { return place; }
LADDER_OPERATOR void* operator new[](size_t, void* place) noexcept { return place; }
LADDER_OPERATOR void operator delete(void* address) noexcept { free(address); }
LADDER_OPERATOR void operator delete[](void* address) noexcept { free(address); }
LADDER_OPERATOR void operator delete(void* address, size_t) noexcept { free(address); }
LADDER_OPERATOR void operator delete[](void* address, size_t) noexcept { free(address); }
#undef LADDER_OPERATOR

LADDER_FUNCTION void* memcpy(void* to, const void* from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }
LADDER_FUNCTION void* memset(void* to, int byte, size_t bytes) { return __builtin_memset(to, byte, bytes); }
#ifdef NDEBUG
#define assert(what) ((void)0)
#else
#define assert(what) ((what) ? (void)0 : __assertfail(#what, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif
LADDER_FUNCTION void __trap() { asm volatile("trap;"); }
LADDER_FUNCTION void __brkpt() { asm volatile("brkpt;"); }
