// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies into shared memory by a group, which waits for them together.
#pragma once
#pragma clang system_header
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cooperative_groups {
template <class Group, class T, class Bytes>
LADDER_FUNCTION void memcpy_async(const Group& group, T* to, const T* from, const Bytes& bytes)
{
    ::cuda::pipeline<::cuda::thread_scope_thread> pipe;
    ::cuda::memcpy_async(group, to, from, bytes, pipe);
    __pipeline_commit();
}
template <class Group> LADDER_FUNCTION void wait(const Group& group)
{
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned groups, class Group> LADDER_FUNCTION void wait_prior(const Group& group)
{
    __pipeline_wait_prior(groups);
    group.sync();
}
} // namespace cooperative_groups
