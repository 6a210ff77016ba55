// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of 64 × 128 and 128 × 8 elements of eight bits (FP8, of type e4m3) by the tensor cores (`wgmma`), with both
// factors in shared memory.

// Shared memory holds small matrices of 8 rows and 16 terms, each in 128 bytes: eight of the same rows side by side, then the
// next 8 rows. So the tensor cores are told 128 bytes from one to the next along a row, and 1024 along a column.
__device__ unsigned long long descriptor(const unsigned char *tile, int first)
{
    const unsigned int start = (unsigned int)__cvta_generic_to_shared(tile) + first / 16 * 128;
    return start % (1 << 18) / 16 | (unsigned long long)(128 / 16) << 16 | (unsigned long long)(1024 / 16) << 32;
}

// Where term k of a row lies in such a tile.
__device__ int place(int row, int k)
{
    return row / 8 * 1024 + k / 16 * 128 + row % 8 * 16 + k % 16;
}

// The number as FP8, which has four significant bits: whole numbers up to 16 are exact.
__device__ unsigned char fp8(float x)
{
    unsigned short two;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, 0f00000000, %1;" : "=h"(two) : "f"(x));
    return (unsigned char)two;
}

// What this thread has written to shared memory is seen by the tensor cores.
__device__ void show_to_engine()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// After threads have set or used the sums, and before the next product.
__device__ void begin_products(float (&sum)[4])
{
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])::"memory");
}

// Begins to add the product of two tiles to the sums, 32 terms after the other, and does not wait for it.
__device__ void multiply(float (&sum)[4], const unsigned char *a, const unsigned char *b)
{
#pragma unroll
    for (int first = 0; first < 128; first += 32) {
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "l"(descriptor(a, first)), "l"(descriptor(b, first)));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits for all products of this warp.
__device__ void wait_for_products(float (&sum)[4])
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])::"memory");
}
