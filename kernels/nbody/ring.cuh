// SPDX-License-Identifier: MIT OR Apache-2.0
// Which groups of bodies meet (step 14).

// Groups stand in a ring. Each meets those at distances 1, 2, ... up to half way round, so each pair of groups meets once; where
// their number is even, the group half way round is met by one of the two.
__device__ int distances(int group, int groups)
{
    return (groups - 1) / 2 + (groups % 2 == 0 && group < groups / 2);
}

// Where group `at` is on a ring of so many: at most one round further.
__device__ __forceinline__ int around(int at, int groups)
{
    return at < groups ? at : at - groups;
}
