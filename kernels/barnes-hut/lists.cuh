// SPDX-License-Identifier: MIT OR Apache-2.0
// What a warp that walks the tree keeps in shared memory.

#define STACK 1024 // nodes and bodies still to be looked at
#define MOST (BUCKET > CHILDREN ? BUCKET : CHILDREN) // of what a node adds to them
#define RESERVED (CHILDREN * DEPTHS) // enough for one node at a time, down to the last level
#define BODY 0x80000000 // added to the number of a body on the stack

struct Lists {
    float4 source[2 * WARP]; // bodies and nodes whose pull is still to be added
    unsigned int todo[STACK];
};

// How many of those still to be looked at come next: fewer than a warp has lanes where they might add too many.
__device__ __forceinline__ int next_of(int todo)
{
    return min(todo, max(min(WARP, (STACK - RESERVED - todo) / MOST), 1));
}

// Puts what a node consists of on the stack, for each lane; how many are on it then.
__device__ __forceinline__ int push(unsigned int *stack, int todo, int first, int count)
{
    const unsigned int kind = count > LEAF ? BODY : 0;
    const int number = count % LEAF, before = before_in_warp(number);
    for (int c = 0; c < number; c++) {
        stack[todo + before + c] = (first + c) | kind;
    }
    return todo + __shfl_sync(ALL, before + number, WARP - 1);
}
