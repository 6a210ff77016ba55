// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks of a cluster, which reach each other's shared memory.

// Waits for all threads of the cluster. What they have written before is visible after it.
__device__ __forceinline__ void meet()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Arrives at the barrier of another block of the cluster that lies where this one does, in lanes where `does` is true. Without
// `.release.cluster`: with it, the thread would first wait until all its stores have reached L2.
__device__ __forceinline__ void arrive_at(const Barrier *barrier, int rank, bool does)
{
    asm volatile("{\n.reg .pred p;\n.reg .b32 there;\nsetp.ne.b32 p, %2, 0;\n@p mapa.shared::cluster.u32 there, %0, %1;\n"
                 "@p mbarrier.arrive.shared::cluster.b64 _, [there];\n}"
                 ::"r"(address(barrier)), "r"(rank), "r"((int)does) : "memory");
}

// Begins to copy a box to the same place of shared memory in each of so many blocks. Its bytes arrive at the barrier of each.
template <int BLOCKS>
__device__ __forceinline__ void copy_box_to_all(void *to, const TensorMap &from, int column, int row, Barrier *barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;"
                 ::"r"(address(to)), "l"(&from), "r"(column), "r"(row), "r"(address(barrier)), "h"((unsigned short)((1 << BLOCKS) - 1))
                 : "memory");
}
