extern "C" __global__ void smooth(unsigned int n, const float* in, float* out)
{
    __shared__ float tile[130]; // the block's 128 elements, and one on each side
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int at = threadIdx.x + 1;
    tile[at] = i < n ? in[i] : 0.0f;
    // TODO: who brings tile[0] and tile[129]?
    __syncthreads();
    if (i < n) {
        out[i] = (tile[at - 1] + tile[at] + tile[at + 1]) / 3;
    }
}
