// SPDX-License-Identifier: MIT OR Apache-2.0
// Products of factors of 8 bits (FP8, of type e4m3) by four warps together. Rows of A and columns of B lie along k. After
// warpgroups.cuh.

// Begins a product of 64 × 32 and 32 × 256 elements. It is added to the sums, or takes their place.
__device__ __forceinline__ void multiply_fp8(float (&sum)[SUMS], unsigned long long a, unsigned long long b, bool adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\nwgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 {"
                 NAMES() NAMES(1) NAMES(2) NAMES(3) NAMES(4) NAMES(5) NAMES(6) NAMES(7) NAMES(8) NAMES(9) NAMES(10) NAMES(11)
                 "%120, %121, %122, %123, %124, %125, %126, %127}, %128, %129, p, 1, 1;\n}"
                 : SIXTY_FOUR(0), SIXTY_FOUR(64) : "l"(a), "l"(b), "r"((int)adds));
}

// The same with 128 columns of B: the sums of half as many columns.
__device__ __forceinline__ void multiply_fp8(float (&sum)[SUMS / 2], unsigned long long a, unsigned long long b, bool adds)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {"
                 NAMES() NAMES(1) NAMES(2) NAMES(3) NAMES(4) NAMES(5) "%60, %61, %62, %63}, %64, %65, p, 1, 1;\n}"
                 : SIXTY_FOUR(0) : "l"(a), "l"(b), "r"((int)adds));
}
