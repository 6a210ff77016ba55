extern "C" __global__ void sum(unsigned int n, const float* in, float* out)
{
    float sum = 0.0f, lost = 0.0f;
    for (unsigned int row = 0; row < n; ++row) {
        const float x = in[row * 32 + threadIdx.x], t = sum + x;
        lost += fabsf(sum) >= fabsf(x) ? (sum - t) + x : (x - t) + sum; // as Neumaier does
        sum = t;
    }
    out[threadIdx.x] = sum + lost;
}
