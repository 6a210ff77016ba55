// SPDX-License-Identifier: MIT OR Apache-2.0
// Two blocks of a cluster, of which the second reaches the shared memory of the first.

// Which of the two this block is.
__device__ __forceinline__ unsigned block_of_two()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// Says that this thread has come so far. What it has written before is visible to those who wait for it.
__device__ __forceinline__ void arrive()
{
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}

// Waits until all threads of both blocks have arrived.
__device__ __forceinline__ void wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Writes four numbers to the shared memory of the first block, where this block has `own`.
__device__ __forceinline__ void tell_first(float4 *own, const float (&numbers)[4])
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, 0;\nst.shared::cluster.v4.f32 [there], {%1, %2, %3, %4};\n}"
                 ::"r"((unsigned)__cvta_generic_to_shared(own)), "f"(numbers[0]), "f"(numbers[1]), "f"(numbers[2]), "f"(numbers[3])
                 : "memory");
}
