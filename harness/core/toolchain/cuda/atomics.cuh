// SPDX-License-Identifier: MIT OR Apache-2.0
// Atomics: of the device, of the block (…_block) and of the whole system (…_system); each returns what was there before.
#pragma once
#pragma clang system_header

// Neither the compiler's own atomics nor instructions let it move other accesses across them here.
#define LADDER_STAY asm volatile("" : : : "memory")

#define LADDER_INSTRUCTION(name, type, c, instruction)                                                           \
    LADDER_FUNCTION type name(type* address, type x)                                                             \
    {                                                                                                            \
        type before;                                                                                             \
        asm volatile("atom" instruction " %0, [%1], %2;"                                                         \
                     : "=" c(before) : "l"(address), c(x) : "memory");                                           \
        return before;                                                                                           \
    }
#define LADDER_EXCHANGE_IF(name, type, c, instruction)                                                           \
    LADDER_FUNCTION type name(type* address, type compare, type x)                                               \
    {                                                                                                            \
        type before;                                                                                             \
        asm volatile("atom" instruction " %0, [%1], %2, %3;"                                                     \
                     : "=" c(before) : "l"(address), c(compare), c(x) : "memory");                               \
        return before;                                                                                           \
    }

// Scopes came with compute capability 6.0.
#if __CUDA_ARCH__ >= 600
#define LADDER_SCOPED(kind, name, type, c, operation)                                                            \
    kind(name##_block, type, c, ".cta." operation)                                                               \
    kind(name##_system, type, c, ".sys." operation)
#else
#define LADDER_SCOPED(kind, name, type, c, operation)
#endif

// Those of the device are clang's, which finds out in which memory the address is.
#define LADDER_ATOMIC(name, type, c, operation, builtin)                                                         \
    LADDER_FUNCTION type name(type* address, type x)                                                             \
    {                                                                                                            \
        LADDER_STAY;                                                                                             \
        const type before = builtin(address, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                        \
        LADDER_STAY;                                                                                             \
        return before;                                                                                           \
    }                                                                                                            \
    LADDER_SCOPED(LADDER_INSTRUCTION, name, type, c, operation)
#define LADDER_OF_INTEGER(type, c, sign, bits)                                                                   \
    LADDER_ATOMIC(atomicMin, type, c, "min." sign bits, __scoped_atomic_fetch_min)                               \
    LADDER_ATOMIC(atomicMax, type, c, "max." sign bits, __scoped_atomic_fetch_max)                               \
    LADDER_ATOMIC(atomicAnd, type, c, "and.b" bits, __scoped_atomic_fetch_and)                                   \
    LADDER_ATOMIC(atomicOr, type, c, "or.b" bits, __scoped_atomic_fetch_or)                                      \
    LADDER_ATOMIC(atomicXor, type, c, "xor.b" bits, __scoped_atomic_fetch_xor)
LADDER_OF_INTEGER(int, "r", "s", "32")
LADDER_OF_INTEGER(unsigned, "r", "u", "32")
LADDER_OF_INTEGER(long long, "l", "s", "64")
LADDER_OF_INTEGER(unsigned long long, "l", "u", "64")
LADDER_ATOMIC(atomicAdd, int, "r", "add.s32", __scoped_atomic_fetch_add)
LADDER_ATOMIC(atomicAdd, unsigned, "r", "add.u32", __scoped_atomic_fetch_add)
LADDER_ATOMIC(atomicAdd, unsigned long long, "l", "add.u64", __scoped_atomic_fetch_add)
LADDER_ATOMIC(atomicAdd, float, "f", "add.f32", __scoped_atomic_fetch_add)
#if __CUDA_ARCH__ >= 600
LADDER_ATOMIC(atomicAdd, double, "d", "add.f64", __scoped_atomic_fetch_add)
#endif
LADDER_ATOMIC(atomicExch, int, "r", "exch.b32", __scoped_atomic_exchange_n)
LADDER_ATOMIC(atomicExch, unsigned, "r", "exch.b32", __scoped_atomic_exchange_n)
LADDER_ATOMIC(atomicExch, unsigned long long, "l", "exch.b64", __scoped_atomic_exchange_n)

// clang's compare-and-swap is one of the whole system, and it counts without wrapping only on newer GPUs.
#define LADDER_IN_PTX(kind, name, type, c, operation)                                                            \
    kind(name, type, c, "." operation)                                                                           \
    LADDER_SCOPED(kind, name, type, c, operation)
LADDER_IN_PTX(LADDER_EXCHANGE_IF, atomicCAS, int, "r", "cas.b32")
LADDER_IN_PTX(LADDER_EXCHANGE_IF, atomicCAS, unsigned, "r", "cas.b32")
LADDER_IN_PTX(LADDER_EXCHANGE_IF, atomicCAS, unsigned long long, "l", "cas.b64")
#if __CUDA_ARCH__ >= 700
LADDER_IN_PTX(LADDER_EXCHANGE_IF, atomicCAS, unsigned short, "h", "cas.b16")
#endif
LADDER_IN_PTX(LADDER_INSTRUCTION, atomicExch, float, "f", "exch.b32")
LADDER_IN_PTX(LADDER_INSTRUCTION, atomicInc, unsigned, "r", "inc.u32")
LADDER_IN_PTX(LADDER_INSTRUCTION, atomicDec, unsigned, "r", "dec.u32")
#undef LADDER_IN_PTX
#undef LADDER_OF_INTEGER
#undef LADDER_ATOMIC
#undef LADDER_SCOPED
#undef LADDER_EXCHANGE_IF
#undef LADDER_INSTRUCTION
#undef LADDER_STAY

#define LADDER_SUBTRACT(scope)                                                                                   \
    LADDER_FUNCTION int atomicSub##scope(int* address, int x)                                                    \
    {                                                                                                            \
        return atomicAdd##scope(address, (int)-(unsigned)x);                                                     \
    }                                                                                                            \
    LADDER_FUNCTION unsigned atomicSub##scope(unsigned* address, unsigned x)                                     \
    {                                                                                                            \
        return atomicAdd##scope(address, -x);                                                                    \
    }
LADDER_SUBTRACT()
#if __CUDA_ARCH__ >= 600
LADDER_SUBTRACT(_block)
LADDER_SUBTRACT(_system)
#endif
#undef LADDER_SUBTRACT
