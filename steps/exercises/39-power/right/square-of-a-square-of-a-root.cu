extern "C" __global__ void raise(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        const float root = sqrtf(in[i]), square = root * root;
        out[i] = square * square * root;
    }
}
