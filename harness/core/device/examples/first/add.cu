// A first kernel: each thread adds one pair of numbers.

extern "C" __global__ void add(int n, const float* a, const float* b, float* sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; // which thread am I?
    if (i < n) {                                   // the last block has more threads than there is work
        sum[i] = a[i] + b[i];
    }
}
