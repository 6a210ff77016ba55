extern "C" __global__ void spread(unsigned int n, unsigned int rows, const float* in, float* out)
{
    const unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < n) {
        float2 ends = make_float2(in[column], in[column]);
        for (unsigned int row = rows; --row > 0;) {
            const float x = in[row * n + column];
            ends = make_float2(x < ends.x ? x : ends.x, x > ends.y ? x : ends.y);
        }
        out[column] = ends.y - ends.x;
    }
}
