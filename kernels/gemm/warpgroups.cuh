// SPDX-License-Identifier: MIT OR Apache-2.0
// Products by four warps together (`wgmma`), with factors from shared memory. Thread 32 w + 4 g + t of the four warps holds of
// the 64 × 256 sums rows 16 w + g and 16 w + g + 8, in columns 8 i + 2 t and 8 i + 2 t + 1: `sum[4 i]` to `sum[4 i + 3]`.

#define SUMS 128 // of a thread

// Where a factor lies in shared memory, in rows of 128 bytes whose chunks of 16 bytes are permuted as the copy engine does it.
// Eight such rows are an atom. `leading` and `stride`: bytes from one atom to the next across and along the rows of the matrix.
// An address has the number of the block in its cluster above the 18 bits that count.
__device__ __forceinline__ unsigned long long descriptor(unsigned start, unsigned leading, unsigned stride)
{
    const unsigned long long permuted = 1; // by 128 bytes
    return start % (1 << 18) / 16 | (unsigned long long)(leading / 16) << 16 | (unsigned long long)(stride / 16) << 32 | permuted << 62;
}

// The same, so many bytes on.
__device__ __forceinline__ unsigned long long shifted(unsigned long long descriptor, int bytes)
{
    return descriptor + bytes / 16;
}

// Before the first product, and after other instructions have used the sums.
__device__ __forceinline__ void begin_products()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

#define NAMES(ten) "%" #ten "0, %" #ten "1, %" #ten "2, %" #ten "3, %" #ten "4, %" #ten "5, %" #ten "6, %" #ten "7, %" #ten "8, %" #ten "9, "
#define FOUR(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define SIXTY_FOUR(i) SIXTEEN(i), SIXTEEN(i + 16), SIXTEEN(i + 32), SIXTEEN(i + 48)

// Begins a product of 64 × 16 and 16 × 256 elements of BF16: rows of A lie along k, rows of B across it. It is added to the
// sums, or takes their place.
__device__ __forceinline__ void multiply_bf16(float (&sum)[SUMS], unsigned long long a, unsigned long long b, bool adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
                 NAMES() NAMES(1) NAMES(2) NAMES(3) NAMES(4) NAMES(5) NAMES(6) NAMES(7) NAMES(8) NAMES(9) NAMES(10) NAMES(11)
                 "%120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1, 0, 1;\n}"
                 : SIXTY_FOUR(0), SIXTY_FOUR(64) : "l"(a), "l"(b), "r"((int)adds));
}

// Makes one group of the products that were begun since the last group.
__device__ __forceinline__ void end_products()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until no more than `LATER` groups are still computed.
template <int LATER> __device__ __forceinline__ void wait_for_products()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LATER) : "memory");
}

// Leaves each thread of these four warps so many registers, and the others to the rest of the block.
template <int REGISTERS> __device__ __forceinline__ void give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

// Waits until there are so many registers for each thread of these four warps.
template <int REGISTERS> __device__ __forceinline__ void take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}
