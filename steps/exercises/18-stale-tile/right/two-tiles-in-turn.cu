// One barrier a tile is enough where the next tile goes to other words.
extern "C" __global__ void distances(unsigned int n, const float* in, float* out)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    __shared__ float tiles[2][64];
    const float own = in[i];
    float sum = 0.0f;
    for (unsigned int first = 0, turn = 0; first < n; first += 64, turn ^= 1) {
        tiles[turn][threadIdx.x] = in[first + threadIdx.x];
        __syncthreads();
        for (unsigned int k = 0; k < 64; ++k) sum += fabsf(tiles[turn][k] - own);
    }
    out[i] = sum;
}
