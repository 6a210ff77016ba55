// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: the tree's cells keep no centres while it is built: who descends computes them again.
// Why:     a centre is its parent's, half a side further. To load it is slow, and to store it takes memory's time and a wait.
// Expect:  a faster kernel 2, which is a small part of a time step by now.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "recompute.cuh"
#include "sum-up.cuh"
#include "summarise.cuh"
#include "sort.cuh"
#include "walk.cuh"
