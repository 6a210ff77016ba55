// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers of 16 bits: what both compilers must make of the same ones, to the last bit.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Where the bits of what is computed go: one word after another, with one pattern for what is no number.
struct Words {
    unsigned* at;
    __device__ void word(unsigned x) { *at++ = x; }
    __device__ void number(unsigned short bits, unsigned short infinite)
    {
        word((bits & 0x7fff) > infinite ? 0x7fff : bits);
    }
    __device__ void put(half x) { number(__half_as_ushort(x), 0x7c00); }
    __device__ void put(__nv_bfloat16 x) { number(__bfloat16_as_ushort(x), 0x7f80); }
    __device__ void put(half2 x) { put(__low2half(x)), put(__high2half(x)); }
    __device__ void put(__nv_bfloat162 x) { put(__low2bfloat16(x)), put(__high2bfloat16(x)); }
    __device__ void wide(unsigned long long x) { word((unsigned)x), word((unsigned)(x >> 32)); }
};

// Only what is exact or rounded once.
template <class H, class H2> __device__ void arithmetic(Words& to, H x, H y, H z, H2 a, H2 b, H2 c)
{
    to.put(__hadd(x, y)), to.put(__hsub(x, y)), to.put(__hmul(x, y)), to.put(__hfma(x, y, z)), to.put(__hdiv(x, y));
    to.put(__hadd_sat(x, y)), to.put(__hsub_sat(x, y)), to.put(__hmul_sat(x, y)), to.put(__hfma_sat(x, y, z));
    to.put(__hfma_relu(x, y, z)), to.put(__habs(x)), to.put(__hneg(x));
    to.put(__hmin(x, y)), to.put(__hmax(x, y)), to.put(__hmin_nan(x, y)), to.put(__hmax_nan(x, y));
    to.put(__hadd2(a, b)), to.put(__hsub2(a, b)), to.put(__hmul2(a, b)), to.put(__hfma2(a, b, c)), to.put(__h2div(a, b));
    to.put(__hadd2_sat(a, b)), to.put(__hfma2_sat(a, b, c)), to.put(__hfma2_relu(a, b, c)), to.put(__hcmadd(a, b, c));
    to.put(__hmin2(a, b)), to.put(__hmax2_nan(a, b)), to.put(__habs2(a)), to.put(__hneg2(a)), to.put(__lowhigh2highlow(a));
    to.put(hceil(x)), to.put(hfloor(x)), to.put(htrunc(x)), to.put(hrint(x)), to.put(h2rint(a)), to.put(hsqrt(x));
    to.put(x + y), to.put(x - y), to.put(x * y), to.put(x / y), to.put(-x), to.put(a + b), to.put(a * b), to.put(-a);
    to.word(__heq(x, y) | __hne(x, y) << 1 | __hlt(x, y) << 2 | __hle(x, y) << 3 | __hgt(x, y) << 4 | __hge(x, y) << 5);
    to.word(__hequ(x, y) | __hneu(x, y) << 1 | __hltu(x, y) << 2 | __hleu(x, y) << 3 | __hgtu(x, y) << 4 | __hgeu(x, y) << 5);
    to.word(__hbeq2(a, b) | __hbne2(a, b) << 1 | __hblt2(a, b) << 2 | __hbgeu2(a, b) << 3 | __hbneu2(a, b) << 4);
    to.put(__heq2(a, b)), to.put(__hne2(a, b)), to.put(__hltu2(a, b)), to.put(__hge2(a, b)), to.put(__hisnan2(a));
    to.word(__hisnan(x) | __hisinf(x) << 1);
    to.put(__shfl_xor_sync(~0u, x, 1)), to.put(__shfl_down_sync(~0u, a, 3));
}

extern "C" __global__ void narrow(const unsigned* in, unsigned* out)
{
    const unsigned all = in[threadIdx.x], other = in[(threadIdx.x + 7) % 32], third = in[(threadIdx.x + 12) % 32];
    Words to = {out + threadIdx.x * 512};
    const half x = __ushort_as_half(all), y = __ushort_as_half(other), z = __ushort_as_half(third >> 16);
    arithmetic(to, x, y, z, __halves2half2(x, z), __halves2half2(y, x), __halves2half2(z, y));
    const __nv_bfloat16 p = __ushort_as_bfloat16(all), q = __ushort_as_bfloat16(other), r = __ushort_as_bfloat16(third >> 16);
    arithmetic(to, p, q, r, __halves2bfloat162(p, r), __halves2bfloat162(q, p), __halves2bfloat162(r, q));
    const float f = __uint_as_float(all);
    const int i = all >> (all & 15);
    const long long l = (long long)all * (int)other;
    to.put(__float2half(f)), to.put(__float2half_rz(f)), to.put(__float2half_ru(f)), to.put(__float2half_rd(f));
    to.put(__float2bfloat16(f)), to.put(__float2bfloat16_rz(f)), to.put(__float2bfloat16_ru(f)), to.put(__float2bfloat16_rd(f));
    to.put(__double2half(f * 1.0000001)), to.put(__double2bfloat16(f * 1.0000001));
    to.put(__int2half_rn(i)), to.put(__int2half_rz(-i)), to.put(__uint2half_ru(i)), to.put(__ll2half_rd(l)), to.put(__ull2half_rn(l));
    to.put(__short2half_rd(i)), to.put(__ushort2half_ru(i));
    to.put(__int2bfloat16_rn(i)), to.put(__int2bfloat16_rz(-i)), to.put(__uint2bfloat16_ru(i)), to.put(__ll2bfloat16_rd(l));
    to.put(__ull2bfloat16_rn(l)), to.put(__short2bfloat16_rd(i));
    to.word(__half2int_rn(x)), to.word(__half2int_rd(x)), to.word(__half2uint_ru(x)), to.wide(__half2ll_rz(x)), to.wide(__half2ull_rn(x));
    to.word(__half2short_rn(x)), to.word(__half2ushort_rz(x));
    to.word(__bfloat162int_rn(p)), to.word(__bfloat162uint_ru(p)), to.word(__bfloat162short_rd(p)), to.wide(__bfloat162ll_rz(p));
}

// Numbers in lanes of a word, integers, and floats with every rounding.
extern "C" __global__ void integers(const unsigned* in, unsigned* out)
{
    const unsigned all = in[threadIdx.x], other = in[(threadIdx.x + 7) % 32], third = in[(threadIdx.x + 12) % 32];
    const float g = (float)all * 3e-3f, h = (float)other * 7e-9f + 1e-3f;
    Words to = {out + threadIdx.x * 512};
    to.word(__vadd2(all, other)), to.word(__vadd4(all, other)), to.word(__vaddss2(all, other));
    to.word(__vaddss4(all, other)), to.word(__vaddus2(all, other)), to.word(__vaddus4(all, other));
    to.word(__vsub2(all, other)), to.word(__vsub4(all, other)), to.word(__vsubss2(all, other));
    to.word(__vsubss4(all, other)), to.word(__vsubus2(all, other)), to.word(__vsubus4(all, other));
    to.word(__vavgs2(all, other)), to.word(__vavgs4(all, other)), to.word(__vavgu2(all, other));
    to.word(__vavgu4(all, other)), to.word(__vhaddu2(all, other)), to.word(__vhaddu4(all, other));
    to.word(__vabsdiffs2(all, other)), to.word(__vabsdiffs4(all, other)), to.word(__vabsdiffu2(all, other));
    to.word(__vabsdiffu4(all, other)), to.word(__vmins2(all, other)), to.word(__vmins4(all, other));
    to.word(__vminu2(all, other)), to.word(__vminu4(all, other)), to.word(__vmaxs2(all, other));
    to.word(__vmaxs4(all, other)), to.word(__vmaxu2(all, other)), to.word(__vmaxu4(all, other));
    to.word(__vcmpeq2(all, other)), to.word(__vcmpeq4(all, other)), to.word(__vcmpne2(all, other));
    to.word(__vcmpne4(all, other)), to.word(__vcmpges2(all, other)), to.word(__vcmpges4(all, other));
    to.word(__vcmpgts2(all, other)), to.word(__vcmpgts4(all, other)), to.word(__vcmples2(all, other));
    to.word(__vcmples4(all, other)), to.word(__vcmplts2(all, other)), to.word(__vcmplts4(all, other));
    to.word(__vcmpgeu2(all, other)), to.word(__vcmpgeu4(all, other)), to.word(__vcmpgtu2(all, other));
    to.word(__vcmpgtu4(all, other)), to.word(__vcmpleu2(all, other)), to.word(__vcmpleu4(all, other));
    to.word(__vcmpltu2(all, other)), to.word(__vcmpltu4(all, other)), to.word(__vseteq2(all, other));
    to.word(__vseteq4(all, other)), to.word(__vsetne2(all, other)), to.word(__vsetne4(all, other));
    to.word(__vsetges2(all, other)), to.word(__vsetges4(all, other)), to.word(__vsetgts2(all, other));
    to.word(__vsetgts4(all, other)), to.word(__vsetles2(all, other)), to.word(__vsetles4(all, other));
    to.word(__vsetlts2(all, other)), to.word(__vsetlts4(all, other)), to.word(__vsetgeu2(all, other));
    to.word(__vsetgeu4(all, other)), to.word(__vsetgtu2(all, other)), to.word(__vsetgtu4(all, other));
    to.word(__vsetleu2(all, other)), to.word(__vsetleu4(all, other)), to.word(__vsetltu2(all, other));
    to.word(__vsetltu4(all, other)), to.word(__vsads2(all, other)), to.word(__vsads4(all, other));
    to.word(__vsadu2(all, other)), to.word(__vsadu4(all, other)), to.word(__vneg2(all)), to.word(__vneg4(all));
    to.word(__vnegss2(all)), to.word(__vnegss4(all)), to.word(__vabs2(all)), to.word(__vabs4(all));
    to.word(__vabsss2(all)), to.word(__vabsss4(all));
    ;
    to.word(__mul24(all, other)), to.word(__umul24(all, other)), to.word(__rhadd((int)all, (int)other));
    to.word(__uhadd(all, other)), to.word(__sad((int)all, (int)other, third));
    to.word(__float_as_uint(__fadd_rn(g, h))), to.word(__float_as_uint(__fsub_rn(g, h)));
    to.word(__float_as_uint(__fmul_rn(g, h))), to.word(__float_as_uint(__fdiv_rn(g, h)));
    to.word(__float_as_uint(__fmaf_rn(g, h, g))), to.word(__float_as_uint(__fsqrt_rn(g)));
    to.word(__float_as_uint(__frcp_rn(h))), to.wide(__double_as_longlong(__dadd_rn(g, h)));
    to.wide(__double_as_longlong(__ddiv_rn(g, h))), to.word(__float2int_rn(g));
    to.word(__float_as_uint(__int2float_rn((int)all)));
    to.word(__float_as_uint(__double2float_rn(g * 1.0000001))), to.word(__float_as_uint(__fadd_rz(g, h)));
    to.word(__float_as_uint(__fsub_rz(g, h))), to.word(__float_as_uint(__fmul_rz(g, h)));
    to.word(__float_as_uint(__fdiv_rz(g, h))), to.word(__float_as_uint(__fmaf_rz(g, h, g)));
    to.word(__float_as_uint(__fsqrt_rz(g))), to.word(__float_as_uint(__frcp_rz(h)));
    to.wide(__double_as_longlong(__dadd_rz(g, h))), to.wide(__double_as_longlong(__ddiv_rz(g, h)));
    to.word(__float2int_rz(g)), to.word(__float_as_uint(__int2float_rz((int)all)));
    to.word(__float_as_uint(__double2float_rz(g * 1.0000001))), to.word(__float_as_uint(__fadd_ru(g, h)));
    to.word(__float_as_uint(__fsub_ru(g, h))), to.word(__float_as_uint(__fmul_ru(g, h)));
    to.word(__float_as_uint(__fdiv_ru(g, h))), to.word(__float_as_uint(__fmaf_ru(g, h, g)));
    to.word(__float_as_uint(__fsqrt_ru(g))), to.word(__float_as_uint(__frcp_ru(h)));
    to.wide(__double_as_longlong(__dadd_ru(g, h))), to.wide(__double_as_longlong(__ddiv_ru(g, h)));
    to.word(__float2int_ru(g)), to.word(__float_as_uint(__int2float_ru((int)all)));
    to.word(__float_as_uint(__double2float_ru(g * 1.0000001))), to.word(__float_as_uint(__fadd_rd(g, h)));
    to.word(__float_as_uint(__fsub_rd(g, h))), to.word(__float_as_uint(__fmul_rd(g, h)));
    to.word(__float_as_uint(__fdiv_rd(g, h))), to.word(__float_as_uint(__fmaf_rd(g, h, g)));
    to.word(__float_as_uint(__fsqrt_rd(g))), to.word(__float_as_uint(__frcp_rd(h)));
    to.wide(__double_as_longlong(__dadd_rd(g, h))), to.wide(__double_as_longlong(__ddiv_rd(g, h)));
    to.word(__float2int_rd(g)), to.word(__float_as_uint(__int2float_rd((int)all)));
    to.word(__float_as_uint(__double2float_rd(g * 1.0000001)));
    to.word(__fns(all, other % 32, (int)(third % 9) - 4)), to.word(umin(all, other)), to.word(llmax(all, (int)other) >> 3);
    to.word(__float_as_uint(__fmaf_ieee_ru(g, h, g)));
}
