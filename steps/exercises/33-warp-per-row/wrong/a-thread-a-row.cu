extern "C" __global__ void sum_rows(const float* in, float* out)
{
    const unsigned int row = blockIdx.x * 8 + threadIdx.x;
    if (threadIdx.x >= 8) return;
    float sum = 0.0f;
    for (unsigned int k = 0; k < 8; ++k) {
        const float4 x = ((const float4*)in)[row * 8 + k];
        sum += x.x + x.y + x.z + x.w;
    }
    out[row] = sum;
}
