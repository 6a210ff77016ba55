// SPDX-License-Identifier: MIT OR Apache-2.0
// Asynchronous copies of pieces of a row to shared memory.

// Begins to copy what `load4` loads. Elements that the row does not have stay as they are.
__device__ __forceinline__ void copy4(float4 *to, const float *row, int first, int columns)
{
    const int lane = threadIdx.x % 32, count = held(first, columns);
    const unsigned place = (unsigned)__cvta_generic_to_shared(to);
    if (columns % 4 == 0) {
        if (count > 0) {
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(row + first + 4 * lane) : "memory");
        }
        return;
    }
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place + 4 * i), "l"(row + first + lane + 32 * i) : "memory");
    }
}

// The copies since the last call are a group.
__device__ __forceinline__ void end_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits for all groups of this thread but the last one.
__device__ __forceinline__ void wait_for_copies()
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
}
