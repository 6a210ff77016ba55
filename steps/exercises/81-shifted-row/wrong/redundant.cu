// Every thread goes through the numbers of its block.
// says: global sectors
extern "C" __global__ void twice(unsigned int n, float* data)
{
    const unsigned int first = blockIdx.x * 128;
    float own = 0.0f;
    for (unsigned int i = first; i < first + 128 && i < n; ++i) {
        const float x = data[i];
        own = i == first + threadIdx.x ? 2.0f * x : own;
    }
    __syncthreads();
    if (first + threadIdx.x >= 3 && first + threadIdx.x < n) {
        data[first + threadIdx.x] = own;
    }
}
