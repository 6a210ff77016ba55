// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks of a cluster, which reach each other's shared memory.

// Waits for all threads of the cluster. What they have written before is visible after it.
__device__ __forceinline__ void meet()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Adds 1 in the shared memory of a block of the cluster, where this block has `own`.
__device__ __forceinline__ void count_in(unsigned int* own, unsigned int rank)
{
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "red.relaxed.cluster.shared::cluster.add.u32 [there], 1;\n}"
                 ::"r"((unsigned int)__cvta_generic_to_shared(own)), "r"(rank) : "memory");
}
