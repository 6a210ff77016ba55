extern "C" __global__ void add(unsigned int* lock, const float* in, volatile float* sum)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned int all = gridDim.x * blockDim.x;

    for (unsigned int i = 0; i < 32; ++i) *sum = *sum + in[i];
}
