// SPDX-License-Identifier: MIT OR Apache-2.0
// The maximum and the sum of exponentials of numbers that come one after the other.

// Adds a number: `sum` is of exponentials relative to `most`, and is scaled where that grows.
__device__ __forceinline__ void add(float &most, float &sum, float x)
{
    const float greater = fmaxf(most, x);
    sum = sum * expf(most - greater) + expf(x - greater);
    most = greater;
}

// The sum of a block, relative to the maximum of the block, which takes the place of `most`.
__device__ __forceinline__ float add_block(float &most, float sum)
{
    const float greatest = of_block<Max>(most, LEAST);
    sum = of_block<Sum>(sum * expf(most - greatest), 0.0f);
    most = greatest;
    return sum;
}
