extern "C" __global__ void add_four(const float* in, float* out)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < all; ++i) {
        const float4 four = ((const float4*)in)[i];
        out[i] = four.x + four.y + four.z + four.w;
    }
}
