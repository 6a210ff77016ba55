// says: with threads = 
extern "C" __global__ void negate(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        out[i] = -in[i];
    }
}
