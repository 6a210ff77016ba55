// SPDX-License-Identifier: MIT OR Apache-2.0
// Copies of boxes of matrices by the copy engine (TMA), and the barriers in shared memory at which they arrive.

// What the host says of a matrix and its boxes (`CUtensorMap`).
struct __align__(64) TensorMap {
    unsigned long long words[16];
};

// A barrier in shared memory (`mbarrier`). A phase ends when all arrivals have come and all bytes that were announced.
typedef unsigned long long Barrier;

__device__ __forceinline__ unsigned address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

// Begins the first phase of a barrier, which ends after so many arrivals.
__device__ __forceinline__ void begin(Barrier *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
}

// Shows barriers that this thread has begun to the copy engine and to other blocks.
__device__ __forceinline__ void show_barriers()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives, in lanes where `does` is true. No branch parts the warp: products need all of its lanes.
__device__ __forceinline__ void arrive(Barrier *barrier, bool does)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %1, 0;\n@p mbarrier.arrive.shared::cta.b64 _, [%0];\n}"
                 ::"r"(address(barrier)), "r"((int)does) : "memory");
}

// Arrives, and announces that so many bytes will come.
__device__ __forceinline__ void announce(Barrier *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
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

// Begins to copy a box to shared memory; its bytes arrive at the barrier.
__device__ __forceinline__ void copy_box(void *to, const TensorMap &from, int column, int row, Barrier *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(address(to)), "l"(&from), "r"(column), "r"(row), "r"(address(barrier)) : "memory");
}
