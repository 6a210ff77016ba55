// SPDX-License-Identifier: MIT OR Apache-2.0
// Texture objects: each function is one instruction of PTX, which brings four components; a type takes those that it has.
#pragma once
#pragma clang system_header

typedef unsigned long long cudaTextureObject_t;

// What an instruction returns for a type: floats, or integers with or without a sign.
template <class T> struct ladder_texel;
#define LADDER_TEXEL(type, as, parts)                                                                            \
    template <> struct ladder_texel<type> {                                                                      \
        as x, y, z, w;                                                                                           \
        __attribute__((device, always_inline, nodebug)) type get() const { return parts; }                       \
    };
#define LADDER_TEXELS(component, name, as)                                                                       \
    LADDER_TEXEL(component, as, (component)x)                                                                    \
    LADDER_TEXEL(name##1, as, name##1{(component)x})                                                             \
    LADDER_TEXEL(name##2, as, (name##2{(component)x, (component)y}))                                             \
    LADDER_TEXEL(name##4, as, (name##4{(component)x, (component)y, (component)z, (component)w}))
LADDER_TEXELS(signed char, char, int)
LADDER_TEXELS(unsigned char, uchar, unsigned)
LADDER_TEXELS(short, short, int)
LADDER_TEXELS(unsigned short, ushort, unsigned)
LADDER_TEXELS(int, int, int)
LADDER_TEXELS(unsigned, uint, unsigned)
LADDER_TEXELS(float, float, float)
#undef LADDER_TEXELS
#undef LADDER_TEXEL

#define LADDER_LIST(...) __VA_ARGS__
#define LADDER_READ(read, type, c, operation, operands, parameters, ...)                                         \
    LADDER_FUNCTION void read(type& x, type& y, type& z, type& w, cudaTextureObject_t texture, parameters)       \
    {                                                                                                            \
        LADDER_PURE(operation " {%0, %1, %2, %3}, [%4, " operands ";"                                            \
            : "=" c(x), "=" c(y), "=" c(z), "=" c(w) : "l"(texture), __VA_ARGS__);                               \
    }
// A function of CUDA's, for every type: `geometry` and `at` are the instruction's; `operands` goes on after the texture.
#define LADDER_TEXTURE(name, operation, at, operands, parameters, arguments, ...)                                \
    LADDER_READ(ladder_##name, float, "f", operation ".v4.f32." at, operands, LADDER_LIST(parameters), __VA_ARGS__)    \
    LADDER_READ(ladder_##name, int, "r", operation ".v4.s32." at, operands, LADDER_LIST(parameters), __VA_ARGS__)      \
    LADDER_READ(ladder_##name, unsigned, "r", operation ".v4.u32." at, operands, LADDER_LIST(parameters), __VA_ARGS__) \
    template <class T> LADDER_FUNCTION T name(cudaTextureObject_t texture, parameters)                           \
    {                                                                                                            \
        ladder_texel<T> texel;                                                                                   \
        ladder_##name(texel.x, texel.y, texel.z, texel.w, texture, arguments);                                   \
        return texel.get();                                                                                      \
    }                                                                                                            \
    template <class T> LADDER_FUNCTION void name(T* result, cudaTextureObject_t texture, parameters)             \
    {                                                                                                            \
        *result = name<T>(texture, arguments);                                                                   \
    }
LADDER_TEXTURE(tex1Dfetch, "tex.1d", "s32", "{%5}]", int s, s, "r"(s))
LADDER_TEXTURE(tex1D, "tex.1d", "f32", "{%5}]", float s, s, "f"(s))
LADDER_TEXTURE(tex2D, "tex.2d", "f32", "{%5, %6}]", LADDER_LIST(float s, float t), LADDER_LIST(s, t), "f"(s), "f"(t))
LADDER_TEXTURE(tex3D, "tex.3d", "f32", "{%5, %6, %7, %7}]", LADDER_LIST(float s, float t, float r),
               LADDER_LIST(s, t, r), "f"(s), "f"(t), "f"(r))
LADDER_TEXTURE(texCubemap, "tex.cube", "f32", "{%5, %6, %7, %7}]", LADDER_LIST(float s, float t, float r),
               LADDER_LIST(s, t, r), "f"(s), "f"(t), "f"(r))
LADDER_TEXTURE(tex1DLayered, "tex.a1d", "f32", "{%5, %6}]", LADDER_LIST(float s, int layer), LADDER_LIST(s, layer),
               "r"(layer), "f"(s))
LADDER_TEXTURE(tex2DLayered, "tex.a2d", "f32", "{%5, %6, %7, %7}]", LADDER_LIST(float s, float t, int layer),
               LADDER_LIST(s, t, layer), "r"(layer), "f"(s), "f"(t))
LADDER_TEXTURE(tex1DLod, "tex.level.1d", "f32", "{%5}], %6", LADDER_LIST(float s, float level), LADDER_LIST(s, level),
               "f"(s), "f"(level))
LADDER_TEXTURE(tex2DLod, "tex.level.2d", "f32", "{%5, %6}], %7", LADDER_LIST(float s, float t, float level),
               LADDER_LIST(s, t, level), "f"(s), "f"(t), "f"(level))
LADDER_TEXTURE(tex3DLod, "tex.level.3d", "f32", "{%5, %6, %7, %7}], %8",
               LADDER_LIST(float s, float t, float r, float level), LADDER_LIST(s, t, r, level), "f"(s), "f"(t),
               "f"(r), "f"(level))
LADDER_TEXTURE(texCubemapLod, "tex.level.cube", "f32", "{%5, %6, %7, %7}], %8",
               LADDER_LIST(float s, float t, float r, float level), LADDER_LIST(s, t, r, level), "f"(s), "f"(t),
               "f"(r), "f"(level))
LADDER_TEXTURE(texCubemapLayered, "tex.acube", "f32", "{%5, %6, %7, %8}]",
               LADDER_LIST(float s, float t, float r, int layer), LADDER_LIST(s, t, r, layer), "r"(layer), "f"(s),
               "f"(t), "f"(r))
LADDER_TEXTURE(tex1DLayeredLod, "tex.level.a1d", "f32", "{%5, %6}], %7", LADDER_LIST(float s, int layer, float level),
               LADDER_LIST(s, layer, level), "r"(layer), "f"(s), "f"(level))
LADDER_TEXTURE(tex2DLayeredLod, "tex.level.a2d", "f32", "{%5, %6, %7, %7}], %8",
               LADDER_LIST(float s, float t, int layer, float level), LADDER_LIST(s, t, layer, level), "r"(layer),
               "f"(s), "f"(t), "f"(level))
LADDER_TEXTURE(tex1DGrad, "tex.grad.1d", "f32", "{%5}], {%6}, {%7}", LADDER_LIST(float s, float dx, float dy),
               LADDER_LIST(s, dx, dy), "f"(s), "f"(dx), "f"(dy))
LADDER_TEXTURE(tex2DGrad, "tex.grad.2d", "f32", "{%5, %6}], {%7, %8}, {%9, %10}",
               LADDER_LIST(float s, float t, float2 dx, float2 dy), LADDER_LIST(s, t, dx, dy), "f"(s), "f"(t),
               "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
LADDER_TEXTURE(tex3DGrad, "tex.grad.3d", "f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
               LADDER_LIST(float s, float t, float r, float4 dx, float4 dy), LADDER_LIST(s, t, r, dx, dy), "f"(s),
               "f"(t), "f"(r), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
#define LADDER_GATHER(component)                                                                                 \
    LADDER_TEXTURE(ladder_gather_##component, "tld4." #component ".2d", "f32", "{%5, %6}]",                      \
                   LADDER_LIST(float s, float t), LADDER_LIST(s, t), "f"(s), "f"(t))
LADDER_GATHER(r)
LADDER_GATHER(g)
LADDER_GATHER(b)
LADDER_GATHER(a)
#undef LADDER_GATHER
#undef LADDER_TEXTURE
#undef LADDER_READ

// One component of the four texels around a place.
template <class T> LADDER_FUNCTION T tex2Dgather(cudaTextureObject_t texture, float s, float t, int component = 0)
{
    switch (component) {
    case 1: return ladder_gather_g<T>(texture, s, t);
    case 2: return ladder_gather_b<T>(texture, s, t);
    case 3: return ladder_gather_a<T>(texture, s, t);
    default: return ladder_gather_r<T>(texture, s, t);
    }
}
template <class T>
LADDER_FUNCTION void tex2Dgather(T* result, cudaTextureObject_t texture, float s, float t, int component = 0)
{
    *result = tex2Dgather<T>(texture, s, t, component);
}
