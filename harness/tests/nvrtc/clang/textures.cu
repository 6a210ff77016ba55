// SPDX-License-Identifier: MIT OR Apache-2.0
// Each function that samples a texture object, once.

extern "C" __global__ void samples(cudaTextureObject_t texture, float4 at, int layer, float4* out, int4* numbers)
{
    const float2 dx = make_float2(at.x, at.y), dy = make_float2(at.z, at.w);
    float4* place = out;
    *place++ = tex1D<float4>(texture, at.x);
    *place++ = tex2D<float4>(texture, at.x, at.y);
    *place++ = tex3D<float4>(texture, at.x, at.y, at.z);
    *place++ = tex1DLayered<float4>(texture, at.x, layer);
    *place++ = tex2DLayered<float4>(texture, at.x, at.y, layer);
    *place++ = texCubemap<float4>(texture, at.x, at.y, at.z);
    *place++ = texCubemapLayered<float4>(texture, at.x, at.y, at.z, layer);
    *place++ = tex1DLod<float4>(texture, at.x, at.w);
    *place++ = tex2DLod<float4>(texture, at.x, at.y, at.w);
    *place++ = tex3DLod<float4>(texture, at.x, at.y, at.z, at.w);
    *place++ = tex1DLayeredLod<float4>(texture, at.x, layer, at.w);
    *place++ = tex2DLayeredLod<float4>(texture, at.x, at.y, layer, at.w);
    *place++ = texCubemapLod<float4>(texture, at.x, at.y, at.z, at.w);
    *place++ = tex1DGrad<float4>(texture, at.x, dx.x, dy.y);
    *place++ = tex2DGrad<float4>(texture, at.x, at.y, dx, dy);
    *place++ = tex3DGrad<float4>(texture, at.x, at.y, at.z, at, at);
    *place++ = tex2Dgather<float4>(texture, at.x, at.y);
    *place++ = tex2Dgather<float4>(texture, at.x, at.y, 1);
    *place++ = tex2Dgather<float4>(texture, at.x, at.y, 2);
    *place++ = tex2Dgather<float4>(texture, at.x, at.y, 3);
    numbers[0] = tex2Dgather<int4>(texture, at.x, at.y, 3);
    numbers[1] = tex1Dfetch<int4>(texture, layer);
}
