// SPDX-License-Identifier: MIT OR Apache-2.0
// Reductions over the lanes of a group: every lane gets the result.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>

namespace cooperative_groups {

#define LADDER_OPERATION(name, what)                                                                             \
    template <class T> struct name {                                                                      \
        __attribute__((device, always_inline, nodebug)) T operator()(T x, T y) const { return what; }            \
    };
LADDER_OPERATION(plus, x + y)
LADDER_OPERATION(less, y < x ? y : x)
LADDER_OPERATION(greater, x < y ? y : x)
LADDER_OPERATION(bit_and, x & y)
LADDER_OPERATION(bit_or, x | y)
LADDER_OPERATION(bit_xor, x ^ y)
#undef LADDER_OPERATION

template <unsigned width, class Parent, class T, class Operation>
LADDER_FUNCTION T reduce(const thread_block_tile<width, Parent>& tile, T x, Operation operation)
{
#pragma unroll
    for (int lanes = width / 2; lanes > 0; lanes /= 2) x = operation(x, tile.shfl_xor(x, lanes));
    return x;
}
template <class T, class Operation>
LADDER_FUNCTION T reduce(const coalesced_group& group, T x, Operation operation)
{
    T all = group.shfl(x, 0);
    for (unsigned rank = 1; rank < group.size(); rank++) all = operation(all, group.shfl(x, rank));
    return all;
}
} // namespace cooperative_groups
