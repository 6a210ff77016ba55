// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a body goes into an empty place by one atomic; lanes share one fence; a lane that was not first goes on where it is.
// Why:     most places are empty, so most insertions need no lock. And a fence takes as long for a warp as for a lane.
// Expect:  a kernel 2 several times faster.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "lock-free.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"
#include "sort.cuh"
#include "walk.cuh"
