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

// Begins to copy what `load4` loads for each of `COUNT` pieces, which are `step` elements apart; a thread's places are `step` / 4
// apart. What lies beyond the end of the row stays as it is.
template <int COUNT> __device__ __forceinline__ void copy_pieces(float4 *to, const float *row, int first, int step, int columns)
{
    const int lane = threadIdx.x % 32;
    if (columns % 4 == 0) {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const int at = first + 4 * lane + i * step;
            if (at < columns) {
                copy16(to + i * (step / 4), row + at);
            }
        }
        return;
    }
#pragma unroll 1
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < 4; j++) {
            const int at = first + lane + i * step + 32 * j;
            if (at < columns) {
                copy4((float *)(to + i * (step / 4)) + j, row + at);
            }
        }
    }
}

// Waits for all copies of this thread.
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}
