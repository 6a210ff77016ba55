extern "C" __global__ void fold(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    const float value = in[i];
    const float other = __shfl_xor_sync(0xffffffff, value, 16);
    // Both lanes of a pair have the same sum, and store it to the same word.
    out[i / 32 * 16 + i % 16] = other + value;
}
