// says: one of 
extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < count; i++) {
            const float sum = front[i] + back[count - 1 - i];
            front_out[i] = sum;
            back_out[count - 1 - i] = sum;
        }
    }
}
