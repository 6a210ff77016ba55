// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: rsqrtf(x) instead of 1.0f / sqrtf(x).
// Why:     the chip has an instruction for it; the exact square root and division are long sequences.
// Expect:  a gain as in the ladder of all pairs, and an error far below that of the method.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "insert.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"
#include "sort.cuh"
#include "walk.cuh"
