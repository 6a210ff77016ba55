// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies from global to shared memory.

// Begins to copy 16 bytes.
__device__ __forceinline__ void copy16(unsigned to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// Waits for all copies of this thread.
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}
