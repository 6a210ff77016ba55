extern "C" __global__ void add_four(const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    union Four { float4 wide; float each[4]; } four;
    four.wide = *((const float4*)in + i);
    out[i] = (four.each[0] + four.each[1]) + (four.each[2] + four.each[3]);
}
