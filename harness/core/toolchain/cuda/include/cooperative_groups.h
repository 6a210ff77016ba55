// SPDX-License-Identifier: MIT OR Apache-2.0
// Cooperative groups: the block, tiles of a warp, and the lanes that are together. A grid waits where all of it is
// resident: in a cooperative launch.
#pragma once
#pragma clang system_header

#define LADDER_METHOD __attribute__((device, always_inline, nodebug))
#define LADDER_STATIC static LADDER_METHOD

namespace cooperative_groups {

LADDER_FUNCTION unsigned ladder_lane()
{
    unsigned lane;
    LADDER_PURE("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
LADDER_FUNCTION unsigned ladder_rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
LADDER_FUNCTION unsigned ladder_threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

struct thread_block {
    LADDER_STATIC void sync() { __syncthreads(); }
    LADDER_STATIC unsigned thread_rank() { return ladder_rank_in_block(); }
    LADDER_STATIC unsigned size() { return ladder_threads_of_block(); }
    LADDER_STATIC unsigned num_threads() { return size(); }
    LADDER_STATIC dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    LADDER_STATIC dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    LADDER_STATIC dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    LADDER_STATIC dim3 dim_threads() { return group_dim(); }
};
LADDER_FUNCTION thread_block this_thread_block() { return {}; }

struct grid_group {
    LADDER_STATIC unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    LADDER_STATIC unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    LADDER_STATIC unsigned long long thread_rank()
    {
        return block_rank() * ladder_threads_of_block() + ladder_rank_in_block();
    }
    LADDER_STATIC unsigned long long size() { return num_blocks() * ladder_threads_of_block(); }
    LADDER_STATIC unsigned long long num_threads() { return size(); }
    LADDER_STATIC dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    LADDER_STATIC dim3 dim_blocks() { return group_dim(); }
    LADDER_STATIC dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    // Of the workspace of a cooperative launch, whose address is in two registers, the second word counts arrivals: the
    // first block adds what makes all of them together change its highest bit.
    LADDER_STATIC bool is_valid() { return ladder_workspace() != nullptr; }
    LADDER_STATIC void sync()
    {
        __syncthreads();
        if (ladder_rank_in_block() == 0) {
            unsigned* const arrivals = ladder_workspace() + 1;
            const unsigned blocks = num_blocks();
            __threadfence();
            const unsigned before = atomicAdd(arrivals, block_rank() == 0 ? 0x80000000u - (blocks - 1) : 1u);
            while (((before ^ *(volatile unsigned*)arrivals) & 0x80000000u) == 0) {}
            __threadfence();
        }
        __syncthreads();
    }

private:
    LADDER_STATIC unsigned* ladder_workspace()
    {
        unsigned high, low;
        asm("mov.u32 %0, %%envreg1;" : "=r"(high));
        asm("mov.u32 %0, %%envreg2;" : "=r"(low));
        return (unsigned*)((unsigned long long)high << 32 | low);
    }
};
LADDER_FUNCTION grid_group this_grid() { return {}; }

// Lanes of a warp: those of `mask`, each with its place among them.
#define LADDER_LANES                                                                                             \
    LADDER_METHOD void sync() const { __syncwarp(mask()); }                                                      \
    LADDER_METHOD unsigned num_threads() const { return size(); }                                                \
    LADDER_METHOD int any(int predicate) const { return __any_sync(mask(), predicate); }                         \
    LADDER_METHOD int all(int predicate) const { return __all_sync(mask(), predicate); }

template <unsigned width, class Parent = void> struct thread_block_tile {
    static_assert(width <= 32 && (width & (width - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    thread_block_tile() = default;
    template <class Other> LADDER_METHOD thread_block_tile(const thread_block_tile<width, Other>&) {}
    LADDER_STATIC unsigned thread_rank() { return ladder_rank_in_block() & (width - 1); }
    LADDER_STATIC constexpr unsigned size() { return width; }
    LADDER_STATIC unsigned meta_group_rank() { return ladder_rank_in_block() / width; }
    LADDER_STATIC unsigned meta_group_size() { return (ladder_threads_of_block() + width - 1) / width; }
    LADDER_STATIC unsigned first() { return ladder_lane() & ~(width - 1); }
    LADDER_STATIC unsigned mask() { return (width == 32 ? ~0u : (1u << (width & 31)) - 1) << first(); }
    LADDER_LANES
    LADDER_METHOD unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first(); }
    template <class T> LADDER_METHOD T shfl(T x, int lane) const { return __shfl_sync(mask(), x, lane, width); }
    template <class T> LADDER_METHOD T shfl_up(T x, int lanes) const { return __shfl_up_sync(mask(), x, lanes, width); }
    template <class T> LADDER_METHOD T shfl_down(T x, int lanes) const
    {
        return __shfl_down_sync(mask(), x, lanes, width);
    }
    template <class T> LADDER_METHOD T shfl_xor(T x, int lanes) const { return __shfl_xor_sync(mask(), x, lanes, width); }
#if __CUDA_ARCH__ >= 700
    template <class T> LADDER_METHOD unsigned match_any(T x) const { return __match_any_sync(mask(), x) >> first(); }
#endif
};
template <unsigned width, class Group>
LADDER_FUNCTION thread_block_tile<width, Group> tiled_partition(const Group&)
{
    return {};
}

struct coalesced_group {
    unsigned lanes;
    LADDER_METHOD unsigned mask() const { return lanes; }
    LADDER_METHOD unsigned size() const { return __popc(lanes); }
    LADDER_METHOD unsigned thread_rank() const { return __popc(lanes & ((1u << ladder_lane()) - 1)); }
    LADDER_METHOD int lane_of(int rank) const // of the warp
    {
        unsigned rest = lanes;
        for (int i = 0; i < rank; i++) rest &= rest - 1;
        return __ffs(rest) - 1;
    }
    LADDER_LANES
    LADDER_METHOD unsigned ballot(int predicate) const
    {
        const unsigned votes = __ballot_sync(lanes, predicate);
        unsigned packed = 0, rank = 0;
        for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
            packed |= (votes >> (__ffs(rest) - 1) & 1) << rank++;
        }
        return packed;
    }
    template <class T> LADDER_METHOD T shfl(T x, int rank) const { return __shfl_sync(lanes, x, lane_of(rank)); }
    template <class T> LADDER_METHOD T shfl_up(T x, int ranks) const
    {
        const int from = (int)thread_rank() - ranks;
        const T y = __shfl_sync(lanes, x, from < 0 ? (int)ladder_lane() : lane_of(from));
        return y;
    }
    template <class T> LADDER_METHOD T shfl_down(T x, int ranks) const
    {
        const int from = (int)thread_rank() + ranks;
        return __shfl_sync(lanes, x, from >= (int)size() ? (int)ladder_lane() : lane_of(from));
    }
};
LADDER_FUNCTION coalesced_group coalesced_threads() { return {__activemask()}; }

// Any group within a block: lanes of a warp, or where there are none named the whole block.
struct thread_group {
    unsigned lanes;
    LADDER_METHOD thread_group(const thread_block&) : lanes(0) {}
    LADDER_METHOD thread_group(const coalesced_group& group) : lanes(group.lanes) {}
    template <unsigned width, class Parent>
    LADDER_METHOD thread_group(const thread_block_tile<width, Parent>& tile) : lanes(tile.mask()) {}
    LADDER_METHOD unsigned size() const { return lanes ? __popc(lanes) : ladder_threads_of_block(); }
    LADDER_METHOD unsigned num_threads() const { return size(); }
    LADDER_METHOD unsigned thread_rank() const
    {
        return lanes ? __popc(lanes & ((1u << ladder_lane()) - 1)) : ladder_rank_in_block();
    }
    LADDER_METHOD void sync() const
    {
        if (lanes) {
            __syncwarp(lanes);
        } else {
            __syncthreads();
        }
    }
};
LADDER_FUNCTION thread_group tiled_partition(const thread_group& group, unsigned width)
{
    const unsigned first = ladder_rank_in_block() % 32 / width * width;
    const unsigned tile = width == 32 ? ~0u : ((1u << width) - 1) << first;
    return coalesced_group{group.lanes ? group.lanes & tile : tile};
}

template <class Group> LADDER_FUNCTION void sync(const Group& group) { group.sync(); }
template <class Group> LADDER_FUNCTION unsigned thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> LADDER_FUNCTION unsigned group_size(const Group& group) { return group.size(); }

#undef LADDER_LANES
#undef LADDER_STATIC
#undef LADDER_METHOD
} // namespace cooperative_groups
