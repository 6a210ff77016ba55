extern "C" __global__ void sum(unsigned int n, const float* in, float* out)
{
    float sum = 0.0f, lost = 0.0f;
    for (unsigned int row = 0; row < n; ++row) {
        const float x = in[row * 32 + threadIdx.x];
        sum += x; // TODO: keep what is lost, and take it away from the next x
    }
    out[threadIdx.x] = sum - lost;
}
