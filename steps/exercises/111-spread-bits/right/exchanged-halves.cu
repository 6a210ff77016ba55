// The word of both is shuffled by exchanges of its inner quarters.
__device__ unsigned int cell(float coordinate)
{
    return (unsigned int)(coordinate * 65536.0f);
}

__device__ unsigned int exchange(unsigned int word, unsigned int mask, int by)
{
    const unsigned int moved = (word ^ word >> by) & mask;
    return word ^ moved ^ moved << by;
}

extern "C" __global__ void keys(unsigned int n, const float* x, const float* y, unsigned int* key)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (int)n) {
        return;
    }
    unsigned int word = cell(y[i]) << 16 | cell(x[i]);
    word = exchange(word, 0x0000ff00, 8);
    word = exchange(word, 0x00f000f0, 4);
    word = exchange(word, 0x0c0c0c0c, 2);
    key[i] = exchange(word, 0x22222222, 1);
}
