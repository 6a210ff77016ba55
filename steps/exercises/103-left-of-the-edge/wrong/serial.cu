// says: one of 
extern "C" __global__ void move(int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < n; ++i) {
            out[i] = in[((i - 5) % n + n) % n];
        }
    }
}
