// Each thread doubles 32 elements.
extern "C" __global__ void twice(const float* in, float* out)
{
    const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int threads = gridDim.x * blockDim.x;
    for (unsigned int k = 0; k < 8; ++k) {
        const unsigned int i = k * threads + thread;
        const float4 x = ((const float4*)in)[i];
        ((float4*)out)[i] = make_float4(2 * x.x, 2 * x.y, 2 * x.z, 2 * x.w);
    }
}
