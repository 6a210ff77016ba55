// A fence of the device too many does no harm, nor does a second barrier.
extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out, volatile unsigned int* flag, unsigned int pass)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < count) {
        const float sum = back[count - 1 - i] + front[i];
        back_out[count - 1 - i] = sum;
        front_out[i] = sum;
    }
    __threadfence();
    __syncthreads();
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        flag[blockIdx.x] = pass;
    }
}
