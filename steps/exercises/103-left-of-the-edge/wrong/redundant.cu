// Every thread goes through all pixels, and keeps its own.
extern "C" __global__ void move(int n, const float* in, float* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float own = 0.0f;
    for (int k = 0; k < n; ++k) {
        const float x = in[k];
        own = (k + 5) % n == i ? x : own;
    }
    if (i < n) {
        out[i] = own;
    }
}
