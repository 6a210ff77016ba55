// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a first pass over the cells sums up those that can be, without waiting; the second waits for what is left.
// Why:     most cells have bodies or ready cells as children. A lane that waits holds up its warp, whose other lanes could go on.
// Expect:  a faster kernel 3.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "lock-free.cuh"
#include "sum-up.cuh"
#include "pre-pass.cuh"
#include "sort.cuh"
#include "walk.cuh"
