// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads of small matrices from rows in shared memory, whose chunks of 16 bytes lie in swizzled order.

#define CHUNK 8 // elements of 16 bytes

// Where chunk `x` of row `y` lies in bytes, of rows of `D` elements: eight rows that are loaded together lie in different banks.
template <int D> __device__ __forceinline__ int swizzled(int y, int x)
{
    return y * (D * 2) + (x ^ (y % 8)) * 16;
}

// Where something lies in shared memory.
__device__ __forceinline__ unsigned address_of(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

// Four matrices of 8 rows of 16 bytes: lane 8 i + j says where row j of matrix i begins, and gets 4 bytes of row lane / 4 of each.
__device__ __forceinline__ void load_matrices(unsigned &first, unsigned &second, unsigned &third, unsigned &fourth, unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth) : "r"(from) : "memory");
}

// The same, rows as columns.
__device__ __forceinline__ void load_transposed(unsigned &first, unsigned &second, unsigned &third, unsigned &fourth, unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth) : "r"(from) : "memory");
}
