// SPDX-License-Identifier: MIT OR Apache-2.0
// What a warp does with matrices: ../matrix.rs compares it with the plain product.

__device__ unsigned pack(float low, float high)
{
    unsigned both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

extern "C" __global__ void product(float *c, const float *ab, int n) // 64 threads: c += a (16 x n) * b (n x 8)
{
    __shared__ __align__(16) unsigned a[2][16][8];
    __shared__ __align__(16) unsigned b[2][16][4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int k = 16 * warp; k < n; k += 32) {
        for (int i = lane; i < 16 * 8; i += 32) {
            const float *p = ab + i / 8 * n + k + i % 8 * 2;
            a[warp][i / 8][i % 8] = pack(p[0], p[1]);
        }
        for (int i = lane; i < 16 * 4; i += 32) {
            const float *p = ab + 16 * n + (k + i / 4) * 8 + i % 4 * 2;
            b[warp][i / 4][i % 4] = pack(p[0], p[1]);
        }
        __syncwarp();
        unsigned a0, a1, a2, a3, b0, b1;
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3)
                     : "r"((unsigned)__cvta_generic_to_shared(&a[warp][lane % 16][lane / 16 * 4])));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(b0), "=r"(b1)
                     : "r"((unsigned)__cvta_generic_to_shared(&b[warp][lane % 16][0])));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                     "{%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
                     : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
        __syncwarp();
    }
    float *to = c + lane / 4 * 8 + lane % 4 * 2;
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to), "f"(s0), "f"(s1) : "memory");
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(to + 64), "f"(s2), "f"(s3) : "memory");
}

extern "C" __global__ void transpose(unsigned *out, const unsigned *in) // warps: 8 x 8 numbers of 16 bits for each
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = in[i];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(word));
    out[i] = word;
}

extern "C" __global__ void early_return(float *c, const float *ab, int n) // wrong: some lanes of a warp are missing
{
    if (threadIdx.x >= n)
        return;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3)
                 : "r"(__float_as_uint(ab[threadIdx.x])));
    c[threadIdx.x] = s0 + s1 + s2 + s3;
}
