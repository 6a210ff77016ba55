// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: volatile only where others write meanwhile: not in forces, not in positions. Barriers throttle kernels 2 and 4.
// Why:     a volatile load is made each time and passes the caches by. Warps that wait at a barrier do not load flags in vain.
// Expect:  faster forces: nodes near the root stay in the caches.

#define THREADS 128 // of a block of force()
#define WARPS (THREADS / 32)

// Neither what a kernel only reads is volatile, nor what it writes for later kernels.
#define ONLY_READ(type) const type*
#define OWN(type) type*

// Warps that are ahead wait for the others of their block.
#define ANY_LEFT(condition) __syncthreads_or(condition)

#include "tree.cuh"
#include "box.cuh"
#include "advance.cuh"
#include "lock-free.cuh"
#include "sum-up.cuh"
#include "pre-pass.cuh"
#include "sort.cuh"
#include "walk.cuh"
