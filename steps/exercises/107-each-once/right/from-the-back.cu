extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x, mirrored = count - 1 - i;
    if (mirrored >= 0) {
        back_out[i] = front_out[mirrored] = back[i] + front[mirrored];
    }
}
