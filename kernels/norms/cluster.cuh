// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks of a cluster, which reach each other's shared memory.

// Which block of its cluster this one is.
__device__ __forceinline__ unsigned cluster_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// Blocks of the cluster.
__device__ __forceinline__ unsigned cluster_size()
{
    unsigned size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
}

// Says that this thread has come so far. What it has written before is visible to those who wait for it.
__device__ __forceinline__ void arrive()
{
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}

// Waits until all threads of the cluster have arrived.
__device__ __forceinline__ void wait()
{
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Writes a number to the shared memory of a block of the cluster, where this block has `own`.
__device__ __forceinline__ void tell(float *own, unsigned rank, float number)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\nst.shared::cluster.f32 [there], %2;\n}"
                 ::"r"((unsigned)__cvta_generic_to_shared(own)), "r"(rank), "f"(number) : "memory");
}
