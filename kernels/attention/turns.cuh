// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns of two groups of four warps, by barriers of a block: number 1 is for the group whose first row is 0, number 2 for the other.
// A group waits at its own, and the other one arrives there.

__device__ __forceinline__ void await_turn(int row)
{
    asm volatile("bar.sync %0, 256;" ::"r"(1 + row / 64) : "memory");
}

__device__ __forceinline__ void give_turn(int row)
{
    asm volatile("bar.arrive %0, 256;" ::"r"(2 - row / 64) : "memory");
}

// The group of row 0 begins.
__device__ __forceinline__ void first_turn(int row)
{
    if (row > 0) {
        give_turn(row);
    }
}
