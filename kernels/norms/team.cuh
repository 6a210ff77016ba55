// SPDX-License-Identifier: MIT OR Apache-2.0
// What blocks of a team tell each other in global memory.

// A number and its turn in one word: whoever sees the turn has the number too.
typedef unsigned long long Told;

__device__ __forceinline__ void publish(volatile Told *place, unsigned turn, float number)
{
    *place = (Told)turn << 32 | __float_as_uint(number);
}

// Waits for the number of this turn. `word` was seen at its place before.
__device__ __forceinline__ float published(const volatile Told *place, Told word, unsigned turn)
{
    while (word >> 32 != turn) {
        word = *place;
    }
    return __uint_as_float((unsigned)word);
}
