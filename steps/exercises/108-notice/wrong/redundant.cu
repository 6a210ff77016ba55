// Every lane makes the results of its whole warp, and stores its own.
extern "C" __global__ void mirror(
    int count, const float* front, const float* back, float* front_out, float* back_out, volatile unsigned int* flag, unsigned int pass)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    float own = 0.0f;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32 && k < count; k++) {
        const float sum = front[k] + back[count - 1 - k];
        own = k == i ? sum : own;
    }
    if (i < count) {
        front_out[i] = own;
        back_out[count - 1 - i] = own;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        flag[blockIdx.x] = pass;
    }
}
