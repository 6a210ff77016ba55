// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of 64 × 8 and 8 × 8 elements of TF32 by the tensor cores (`wgmma`), with both factors in shared memory.

// Shared memory holds small matrices of 8 rows and 4 terms, each in 128 bytes: those of the same rows side by side, then
// the next 8 rows. So the tensor cores are told 128 bytes from one to the next along a row, and 256 along a column.
__device__ unsigned long long descriptor(const float *tile)
{
    const unsigned int start = (unsigned int)__cvta_generic_to_shared(tile);
    return start % (1 << 18) / 16 | (unsigned long long)(128 / 16) << 16 | (unsigned long long)(256 / 16) << 32;
}

// Where term k of a row lies in such a tile.
__device__ int place(int row, int k)
{
    return row / 8 * 64 + k / 4 * 32 + row % 8 * 4 + k % 4;
}

// What this thread has written to shared memory is seen by the tensor cores.
__device__ void show_to_engine()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Before the first product, and after other instructions have used the sums.
__device__ void begin_products()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Begins to add a product to the sums, and does not wait for it.
__device__ void multiply(float (&sum)[4], const float *a, const float *b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits for all products of this warp.
__device__ void wait_for_products(float (&sum)[4])
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])::"memory");
}
