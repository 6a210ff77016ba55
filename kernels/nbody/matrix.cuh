// SPDX-License-Identifier: MIT OR Apache-2.0
// Halves, and products of matrices of halves; the lanes of a warp share each matrix (step 16).

__device__ __forceinline__ unsigned short half(float x)
{
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

__device__ __forceinline__ float number(unsigned short half)
{
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
    return x;
}

// Two halves in one register, `x` in the lower.
__device__ __forceinline__ unsigned halves(float x, float y)
{
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(y), "f"(x));
    return both;
}

// What two numbers lost when they became `halves`, as halves.
__device__ __forceinline__ unsigned rest(float x, float y, unsigned both)
{
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(both));
    return halves(x - number(low), y - number(high));
}

// a b + c of a 16 x 16, b 16 x 8. Lane 4 g + t has of b columns g, rows 2 t, 2 t + 1, 2 t + 8, 2 t + 9; of c and the result rows g (x, y)
// and g + 8 (z, w), columns 2 t and 2 t + 1; of a rows g (x, z) and g + 8 (y, w), columns 2 t, 2 t + 1 (x, y) and 2 t + 8, 2 t + 9 (z, w).
__device__ __forceinline__ float4 multiply(uint4 a, uint2 b, float4 c)
{
    float4 d;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d.x), "=f"(d.y), "=f"(d.z), "=f"(d.w)
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "f"(c.x), "f"(c.y), "f"(c.z), "f"(c.w));
    return d;
}

// Transposes an 8 x 8 matrix of halves, of which each lane has two.
__device__ __forceinline__ unsigned transpose(unsigned a)
{
    unsigned d;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}

__device__ __forceinline__ uint4 transpose(uint4 a)
{
    return make_uint4(transpose(a.x), transpose(a.z), transpose(a.y), transpose(a.w));
}

// Where the value of row or column k = 2 t, 2 t + 1, 2 t + 8, 2 t + 9 is stored: so that a lane's four are side by side.
__device__ __forceinline__ int slot(int k)
{
    return k % 8 / 2 * 4 + k / 8 * 2 + k % 2;
}
