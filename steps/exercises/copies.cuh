// SPDX-License-Identifier: MIT OR Apache-2.0
// Barriers in shared memory (`mbarrier`), and copies by the engine that arrive at them.

// A phase ends when all arrivals have come, and all bytes that were announced.
typedef unsigned long long Barrier;

__device__ unsigned int address(const void *shared)
{
    return (unsigned int)__cvta_generic_to_shared(shared);
}

// Begins the first phase of a barrier, and shows it to the copy engine. Each phase ends after so many arrivals.
__device__ void begin(Barrier *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void arrive(Barrier *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(barrier)) : "memory");
}

// Arrives, and announces that so many bytes will come.
__device__ void announce(Barrier *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 ::"r"(address(barrier)), "r"(bytes) : "memory");
}

// Waits for the end of a phase. Phases have the parities 0, 1, 0 and so on.
__device__ void wait(Barrier *barrier, int parity)
{
    unsigned int ended;
    do {
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(ended) : "r"(address(barrier)), "r"(parity) : "memory");
    } while (!ended);
}

// Begins to copy bytes from global to shared memory, where they arrive at the barrier.
__device__ void copy(void *to, const void *from, int bytes, Barrier *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(barrier)) : "memory");
}

// Begins to copy bytes to the same place in the shared memory of several blocks of the cluster, of which `blocks` has a bit each.
// They arrive at the barrier of each.
__device__ void copy_to_blocks(void *to, const void *from, int bytes, Barrier *barrier, unsigned short blocks)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                 ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(barrier)), "h"(blocks) : "memory");
}
