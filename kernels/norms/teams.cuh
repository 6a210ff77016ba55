// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks of a team, which tell each other numbers in global memory.

// A number and its turn in one word, so that whoever sees the turn has the number too.
typedef unsigned long long Told;

__device__ __forceinline__ void tell(volatile Told *place, unsigned turn, float number)
{
    *place = (Told)turn << 32 | __float_as_uint(number);
}

// Waits for the number of this turn.
__device__ __forceinline__ float told(const volatile Told *place, unsigned turn)
{
    Told word;
    do {
        word = *place;
    } while (word >> 32 != turn);
    return __uint_as_float((unsigned)word);
}
