extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= (unsigned int)count) {
        return;
    }
    front += i, front_out += i;
    back += count - i - 1, back_out += count - i - 1;
    const float first = *front, second = *back;
    *front_out = first + second;
    *back_out = second + first;
}
