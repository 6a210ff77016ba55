extern "C" __global__ void negate(unsigned int n, const float* in, float* out)
{
    const int i = (int)(threadIdx.x + blockDim.x * blockIdx.x);
    if (i >= (int)n) return;
    out[i] = 0.0f - in[i];
}
