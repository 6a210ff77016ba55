// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies of pieces of a row to shared memory.

// Begins to copy 16 bytes, past the L1 cache.
__device__ __forceinline__ void copy16(float4 *to, const float *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
}

// The same of 4 bytes: these go through the L1 cache.
__device__ __forceinline__ void copy4(float *to, const float *from)
{
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(from) : "memory");
}

// Begins to copy what `load4` loads. What lies beyond the end of the row stays as it is.
__device__ __forceinline__ void copy_piece(float4 *to, const float *row, int first, int columns)
{
    const int lane = threadIdx.x % 32;
    if (columns % 4 == 0) {
        if (first + 4 * lane < columns) {
            copy16(to, row + first + 4 * lane);
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int at = first + lane + 32 * i;
        if (at < columns) {
            copy4((float *)to + i, row + at);
        }
    }
}

// Waits for all copies of this thread.
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}
