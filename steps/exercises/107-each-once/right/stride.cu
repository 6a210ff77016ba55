extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += gridDim.x * blockDim.x) {
        float both[2] = {front[i], back[count - 1 - i]};
        both[0] += both[1];
        __stcs(front_out + i, both[0]);
        __stcs(back_out + count - 1 - i, both[0]);
    }
}
