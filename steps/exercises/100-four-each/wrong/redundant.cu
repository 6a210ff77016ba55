// Every thread loads what two others load as well.
// says: global requests
extern "C" __global__ void copy(int n, const float* in, float* out)
{
    const int i = 4 * (threadIdx.x + blockIdx.x * blockDim.x);
    for (int k = i; k < i + 4 && k < n; k++) {
        const volatile float* const from = in;
        const float left = from[max(k - 4, 0)], right = from[min(k + 4, n - 1)];
        out[k] = k < 0 ? left + right : from[k];
    }
}
