// SPDX-License-Identifier: MIT OR Apache-2.0
// Shuffles, votes and the like: with invalid lanes in the lines that are marked with //!, and clean.

extern "C" __global__ void shuffle_of_twenty(int *out, const int *in, int n) // the block has no lanes 20 to 31
{
    int sum = in[threadIdx.x];
    sum += __shfl_xor_sync(~0u, sum, 1); //!
    out[threadIdx.x] = sum;
}

extern "C" __global__ void vote_of_twenty(int *out, const int *in, int n)
{
    out[threadIdx.x] = __ballot_sync(~0u, in[threadIdx.x] & 1); //!
}

extern "C" __global__ void from_outside(int *out, const int *in, int n) // lanes 8 to 15 read from 16 to 23
{
    int sum = in[threadIdx.x];
    if (threadIdx.x % 32 < 16)
        sum += __shfl_down_sync(0xffffu, sum, 8); //!
    out[threadIdx.x] = sum;
}

extern "C" __global__ void unnamed(int *out, const int *in, int n) // lane 31 is not in the mask that it gives
{
    out[threadIdx.x] = __shfl_sync(0x7fffffffu, in[threadIdx.x], 0); //!
}

extern "C" __global__ void unnamed_vote(int *out, const int *in, int n) // the upper half gives the mask of the lower
{
    out[threadIdx.x] = __any_sync(0xffffu, in[threadIdx.x] & 1); //!
}

extern "C" __global__ void unnamed_meeting(int *out, const int *in, int n) // a __syncwarp() of others
{
    __shared__ int own[32];
    own[threadIdx.x] = in[threadIdx.x];
    __syncwarp(0xffffu); //!
    out[threadIdx.x] = own[threadIdx.x ^ 1] & 0;
}

extern "C" __global__ void two_masks(int *out, const int *in, int n) // the lower half waits for lanes that name others
{
    const unsigned mask = threadIdx.x < 16 ? ~0u : 0xffff0000u;
    out[threadIdx.x] = __shfl_xor_sync(mask, in[threadIdx.x], 1); //!
}

extern "C" __global__ void from_one_that_left(int *out, const int *in, int n) // lane 0 has returned
{
    if (threadIdx.x == 0)
        return;
    out[threadIdx.x] = __shfl_sync(~0u, in[threadIdx.x], 0); //!
}

extern "C" __global__ void clean_twenty(int *out, const int *in, int n) // the mask has the block's 20 lanes
{
    int sum = in[threadIdx.x];
    sum += __shfl_xor_sync((1u << 20) - 1, sum, 1);
    out[threadIdx.x] = sum;
}

extern "C" __global__ void clean_halves(int *out, const int *in, int n) // each half in segments of 16
{
    int sum = in[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
        for (int by = 8; by > 0; by /= 2)
            sum += __shfl_down_sync(0xffffu, sum, by, 16);
    } else {
        for (int by = 8; by > 0; by /= 2)
            sum += __shfl_down_sync(0xffff0000u, sum, by, 16);
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void clean_ballot(int *out, const int *in, int n) // the mask is made before the condition
{
    const int lane = threadIdx.x % 32;
    const unsigned mask = __ballot_sync(~0u, in[threadIdx.x] & 1);
    if (in[threadIdx.x] & 1)
        out[threadIdx.x] = __shfl_sync(mask, lane, __ffs(mask) - 1);
}

extern "C" __global__ void clean_groups(int *out, const int *in, int n) // lanes of one key, each group with its mask
{
    const unsigned mask = __match_any_sync(~0u, in[threadIdx.x] & 3);
    const int leader = __ffs(mask) - 1;
    int place = 0;
    if (threadIdx.x % 32 == leader)
        place = atomicAdd(&out[in[threadIdx.x] & 3], __popc(mask));
    place = __shfl_sync(mask, place, leader);
    out[64 + threadIdx.x] = place + __popc(__ballot_sync(mask, 1));
}

extern "C" __global__ void clean_group_sums(int *out, const int *in, int n) // sums over lanes of one key
{
    const unsigned mask = __match_any_sync(~0u, threadIdx.x % 3);
    out[threadIdx.x] = __reduce_add_sync(mask, 1u);
}

extern "C" __global__ void clean_return(int *out, const int *in, int n) // who left is named, and nobody reads from it
{
    if (threadIdx.x >= 16)
        return;
    out[threadIdx.x] = __shfl_xor_sync(~0u, in[threadIdx.x], 8);
}

extern "C" __global__ void clean_segments(int *out, const int *in, int n) // a scan: the first lanes keep their own
{
    int sum = in[threadIdx.x];
    for (int by = 1; by < 32; by *= 2) {
        const int other = __shfl_up_sync(~0u, sum, by);
        if (threadIdx.x % 32 >= by)
            sum += other;
    }
    out[threadIdx.x] = sum;
}
