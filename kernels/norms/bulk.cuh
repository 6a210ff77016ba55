// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies by the copy engine (TMA) between global and shared memory. Addresses and numbers of bytes are multiples of 16.

// A barrier in shared memory (`mbarrier`). A phase ends when a thread has announced bytes, and these have come.
typedef unsigned long long Barrier;

__device__ __forceinline__ unsigned address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

// Begins the first phase of a barrier, and shows it to the copy engine.
__device__ __forceinline__ void begin(Barrier *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Begins to copy to shared memory. A phase of the barrier ends with the last byte.
__device__ __forceinline__ void load(void *to, const void *from, unsigned bytes, Barrier *barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(barrier)) : "memory");
}

// Waits for the end of a phase. Phases have the parities 0, 1, 0 and so on.
__device__ __forceinline__ void wait(const Barrier *barrier, int parity)
{
    unsigned ended;
    do {
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                     : "=r"(ended) : "r"(address(barrier)), "r"(parity) : "memory");
    } while (!ended);
}

// Shows the copy engine what this thread has written to shared memory.
__device__ __forceinline__ void show()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Copies from shared memory. The bytes have been read when this returns, and will be written.
__device__ __forceinline__ void store(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 ::"l"(to), "r"(address(from)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
