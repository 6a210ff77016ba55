// One thread of each block makes the results of all.
extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out, volatile unsigned int* flag, unsigned int pass)
{
    if (threadIdx.x == 0) {
        for (int i = blockIdx.x * blockDim.x; i < count && i < (int)((blockIdx.x + 1) * blockDim.x); i++) {
            const float sum = front[i] + back[count - 1 - i];
            front_out[i] = sum;
            back_out[count - 1 - i] = sum;
        }
        __threadfence_system();
        flag[blockIdx.x] = pass;
    }
}
