// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies from global to shared memory.

// Begins to copy 16 bytes.
__device__ __forceinline__ void copy16(void *to, const void *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
}

// Makes one group of the copies that this thread has begun since the last group.
__device__ __forceinline__ void end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until no more than `LATER` groups of this thread are on their way.
template <int LATER> __device__ __forceinline__ void wait_for_groups()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
}

// Waits for all copies of this thread.
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}
