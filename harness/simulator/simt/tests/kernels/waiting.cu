// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads that wait for each other: locks, turns, letters, a tree's nodes, barriers of the grid. All end where every
// thread gets its turns, whatever their order.

__device__ unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ unsigned threads() { return gridDim.x * blockDim.x; }

// Each thread adds to a plain sum, rounds times, under a lock.
extern "C" __global__ void lock(unsigned *mutex, unsigned *sum, unsigned rounds, unsigned)
{
    for (unsigned r = 0; r < rounds; r++) {
        while (atomicCAS(mutex, 0, 1) != 0) {}
        __threadfence();
        *(volatile unsigned *)sum = *(volatile unsigned *)sum + 1;
        __threadfence();
        atomicExch(mutex, 0);
    }
}

// The same in the order of tickets: mutex[0] is the next to be drawn, mutex[1] the one whose turn it is.
extern "C" __global__ void ticket(unsigned *mutex, unsigned *sum, unsigned rounds, unsigned)
{
    for (unsigned r = 0; r < rounds; r++) {
        const unsigned own = atomicAdd(&mutex[0], 1);
        while (((volatile unsigned *)mutex)[1] != own) {}
        __threadfence();
        *(volatile unsigned *)sum = *(volatile unsigned *)sum + 1;
        __threadfence();
        ((volatile unsigned *)mutex)[1] = own + 1;
    }
}

// The threads pass a token on, in the order of their numbers times step, which has no factor in common with their count.
extern "C" __global__ void relay(unsigned *token, unsigned *order, unsigned rounds, unsigned step)
{
    const unsigned n = threads();
    unsigned turn = (unsigned)((unsigned long long)thread() * step % n);
    for (unsigned r = 0; r < rounds; r++, turn += n) {
        while (*(volatile unsigned *)token != turn) {}
        order[turn] = thread();
        __threadfence();
        *(volatile unsigned *)token = turn + 1;
    }
}

// Each thread sends a letter to the thread step further on, and waits for its own before the next.
extern "C" __global__ void letters(unsigned *box, unsigned *sum, unsigned rounds, unsigned step)
{
    const unsigned to = (unsigned)(((unsigned long long)thread() + step) % threads());
    unsigned got = 0;
    for (unsigned r = 1; r <= rounds; r++) {
        while (atomicCAS(&box[to], 0, r + thread()) != 0) {}
        unsigned letter;
        while ((letter = atomicExch(&box[thread()], 0)) == 0) {}
        got += letter;
    }
    sum[thread()] = got;
}

// Each thread puts rounds nodes at the head of one list: next[node] is the number of the one after it, and head that of
// the first.
extern "C" __global__ void list(unsigned *head, unsigned *next, unsigned rounds, unsigned)
{
    for (unsigned r = 0; r < rounds; r++) {
        const unsigned node = thread() * rounds + r + 1;
        unsigned first = *(volatile unsigned *)head, seen;
        do {
            seen = first;
            next[node] = seen;
            __threadfence();
            first = atomicCAS(head, seen, node);
        } while (first != seen);
    }
}

// A search tree of the keys that are the threads' numbers times step: nodes[2k] and nodes[2k + 1] are the children of
// node k, 0 none; node 0 is above the root. depth[k] is how many steps it took.
extern "C" __global__ void tree(unsigned *nodes, unsigned *depth, unsigned, unsigned step)
{
    const unsigned n = threads(), own = thread() + 1;
    const unsigned key = (unsigned)((unsigned long long)own * step % n);
    unsigned *place = &nodes[1];
    unsigned steps = 0, found;
    while ((found = atomicCAS(place, 0, own)) != 0) {
        const unsigned other = (unsigned)((unsigned long long)found * step % n);
        place = &nodes[2 * found + (key < other ? 0 : 1)];
        steps++;
    }
    depth[own] = steps;
}

// Bodies in the order of the tree, from the top down: who has a cell waits for the place of its first body, and gives
// its children theirs. A child below 0 is none, from cells on a body.
__device__ bool place(int k, const int *children, const int *counts, volatile int *start, int *sorted, int cells)
{
    int at = start[k];
    if (at < 0) return false;
    for (int c = 0; c < 8; c++) {
        const int child = children[8 * k + c];
        if (child >= cells) {
            sorted[at++] = child - cells;
        } else if (child >= 0) {
            start[child] = at;
            at += counts[child];
        }
    }
    return true;
}

extern "C" __global__ void sort(const int *children, const int *counts, volatile int *start, int *sorted, int cells)
{
    for (int k = thread(); k < cells;) {
        if (place(k, children, counts, start, sorted, cells)) k += threads();
    }
}

// The same with a barrier in each pass, which lets fewer warps look at the same time.
extern "C" __global__ void sort_throttled(
    const int *children, const int *counts, volatile int *start, int *sorted, int cells)
{
    int k = thread();
    while (__syncthreads_or(k < cells)) {
        if (k < cells && place(k, children, counts, start, sorted, cells)) k += threads();
    }
}

// Rounds of a sum over the neighbours, with a barrier of the whole grid after each: the last block to come sets the
// others free.
extern "C" __global__ void barriers(unsigned *came, unsigned *values, unsigned rounds, unsigned)
{
    const unsigned n = threads();
    for (unsigned r = 0; r < rounds; r++) {
        values[(r + 1) % 2 * n + thread()] = values[r % 2 * n + (thread() + 1) % n] + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(came, 1);
            while (*(volatile unsigned *)came < (r + 1) * gridDim.x) {}
            __threadfence();
        }
        __syncthreads();
    }
}

// Sums in which no thread sees what another does.
extern "C" __global__ void sums(unsigned *sum, unsigned *, unsigned rounds, unsigned)
{
    for (unsigned r = 0; r < rounds; r++) atomicAdd(&sum[r % 32], 1);
}
