// SPDX-License-Identifier: MIT OR Apache-2.0
// What threads do together: barriers, fences, votes, exchanges between the lanes of a warp; clocks.
#pragma once
#pragma clang system_header

// __syncthreads is clang's own.
#define LADDER_COUNTING_BARRIER(name, instruction)                                                               \
    LADDER_FUNCTION int name(int predicate)                                                                      \
    {                                                                                                            \
        int all;                                                                                                 \
        asm volatile("{\n\t.reg .pred in, out;\n\tsetp.ne.s32 in, %1, 0;\n\tbar.red." instruction                \
                     ".pred out, 0, in;\n\tselp.s32 %0, 1, 0, out;\n\t}"                                         \
                     : "=r"(all) : "r"(predicate) : "memory");                                                   \
        return all;                                                                                              \
    }
LADDER_COUNTING_BARRIER(__syncthreads_and, "and")
LADDER_COUNTING_BARRIER(__syncthreads_or, "or")
#undef LADDER_COUNTING_BARRIER
LADDER_FUNCTION int __syncthreads_count(int predicate)
{
    int count;
    asm volatile("{\n\t.reg .pred in;\n\tsetp.ne.s32 in, %1, 0;\n\tbar.red.popc.u32 %0, 0, in;\n\t}"
                 : "=r"(count) : "r"(predicate) : "memory");
    return count;
}

LADDER_FUNCTION void __syncwarp(unsigned mask = 0xffffffff)
{
    asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
LADDER_FUNCTION void __threadfence_block() { asm volatile("membar.cta;" : : : "memory"); }
LADDER_FUNCTION void __threadfence() { asm volatile("membar.gl;" : : : "memory"); }
LADDER_FUNCTION void __threadfence_system() { asm volatile("membar.sys;" : : : "memory"); }

LADDER_FUNCTION int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
LADDER_FUNCTION int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
LADDER_FUNCTION unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate);
}
LADDER_FUNCTION unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask) : : "memory");
    return mask;
}

// A shuffle's last operand: lanes of one section (the bits above) cannot leave it; `last` is the lane that none passes.
#define LADDER_SHUFFLE(name, kind, last)                                                                         \
    LADDER_FUNCTION int name(unsigned mask, int x, int lane, int width = 32)                                     \
    {                                                                                                            \
        return __nvvm_shfl_sync_##kind##_i32(mask, x, lane, (32 - width) << 8 | last);                           \
    }                                                                                                            \
    LADDER_FUNCTION unsigned name(unsigned mask, unsigned x, int lane, int width = 32)                           \
    {                                                                                                            \
        return name(mask, (int)x, lane, width);                                                                  \
    }                                                                                                            \
    LADDER_FUNCTION float name(unsigned mask, float x, int lane, int width = 32)                                 \
    {                                                                                                            \
        return __nvvm_shfl_sync_##kind##_f32(mask, x, lane, (32 - width) << 8 | last);                           \
    }                                                                                                            \
    LADDER_FUNCTION long long name(unsigned mask, long long x, int lane, int width = 32)                         \
    {                                                                                                            \
        const unsigned low = name(mask, (unsigned)x, lane, width);                                               \
        const unsigned high = name(mask, (unsigned)(x >> 32), lane, width);                                      \
        return (long long)((unsigned long long)high << 32 | low);                                                \
    }                                                                                                            \
    LADDER_FUNCTION unsigned long long name(unsigned mask, unsigned long long x, int lane, int width = 32)       \
    {                                                                                                            \
        return name(mask, (long long)x, lane, width);                                                            \
    }                                                                                                            \
    LADDER_FUNCTION long name(unsigned mask, long x, int lane, int width = 32)                                   \
    {                                                                                                            \
        return name(mask, (long long)x, lane, width);                                                            \
    }                                                                                                            \
    LADDER_FUNCTION unsigned long name(unsigned mask, unsigned long x, int lane, int width = 32)                 \
    {                                                                                                            \
        return name(mask, (long long)x, lane, width);                                                            \
    }                                                                                                            \
    LADDER_FUNCTION double name(unsigned mask, double x, int lane, int width = 32)                               \
    {                                                                                                            \
        return __longlong_as_double(name(mask, __double_as_longlong(x), lane, width));                           \
    }
LADDER_SHUFFLE(__shfl_sync, idx, 31)
LADDER_SHUFFLE(__shfl_up_sync, up, 0)
LADDER_SHUFFLE(__shfl_down_sync, down, 31)
LADDER_SHUFFLE(__shfl_xor_sync, bfly, 31)
#undef LADDER_SHUFFLE

#if __CUDA_ARCH__ >= 700
#define LADDER_MATCH(type, bits, c)                                                                              \
    LADDER_FUNCTION unsigned __match_any_sync(unsigned mask, type x)                                             \
    {                                                                                                            \
        unsigned same;                                                                                           \
        asm volatile("match.any.sync." bits " %0, %1, %2;" : "=r"(same) : c(x), "r"(mask) : "memory");           \
        return same;                                                                                             \
    }                                                                                                            \
    LADDER_FUNCTION unsigned __match_all_sync(unsigned mask, type x, int* predicate)                             \
    {                                                                                                            \
        unsigned same;                                                                                           \
        int all;                                                                                                 \
        asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync." bits                                                \
                     " %0|p, %2, %3;\n\tselp.s32 %1, 1, 0, p;\n\t}"                                              \
                     : "=r"(same), "=r"(all) : c(x), "r"(mask) : "memory");                                      \
        *predicate = all;                                                                                        \
        return same;                                                                                             \
    }
LADDER_MATCH(int, "b32", "r")
LADDER_MATCH(unsigned, "b32", "r")
LADDER_MATCH(float, "b32", "f")
LADDER_MATCH(long long, "b64", "l")
LADDER_MATCH(unsigned long long, "b64", "l")
LADDER_MATCH(double, "b64", "d")
#undef LADDER_MATCH

LADDER_FUNCTION void __nanosleep(unsigned nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds));
}
#endif

#if __CUDA_ARCH__ >= 800
#define LADDER_REDUCE(name, type, operation)                                                                     \
    LADDER_FUNCTION type name(unsigned mask, type x)                                                             \
    {                                                                                                            \
        type all;                                                                                                \
        asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(all) : "r"(x), "r"(mask) : "memory");         \
        return all;                                                                                              \
    }
LADDER_REDUCE(__reduce_add_sync, int, "add.s32")
LADDER_REDUCE(__reduce_add_sync, unsigned, "add.u32")
LADDER_REDUCE(__reduce_min_sync, int, "min.s32")
LADDER_REDUCE(__reduce_min_sync, unsigned, "min.u32")
LADDER_REDUCE(__reduce_max_sync, int, "max.s32")
LADDER_REDUCE(__reduce_max_sync, unsigned, "max.u32")
LADDER_REDUCE(__reduce_and_sync, unsigned, "and.b32")
LADDER_REDUCE(__reduce_or_sync, unsigned, "or.b32")
LADDER_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef LADDER_REDUCE
#endif

typedef long clock_t;
LADDER_FUNCTION clock_t clock()
{
    int cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles) : : "memory");
    return cycles;
}
LADDER_FUNCTION long long clock64()
{
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles) : : "memory");
    return cycles;
}
