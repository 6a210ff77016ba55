// Each result is made by itself: every element is read twice.
// says: global bytes
extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) {
        const volatile float *const f = front, *const b = back;
        front_out[i] = f[i] + b[count - 1 - i];
        back_out[i] = b[i] + f[count - 1 - i];
    }
}
