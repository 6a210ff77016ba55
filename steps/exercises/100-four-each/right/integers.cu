// The bits are copied as four integers.
extern "C" __global__ void copy(int n, const float* in, float* out)
{
    const int thread = threadIdx.x + blockIdx.x * blockDim.x;
    if (thread < n / 4) {
        reinterpret_cast<uint4*>(out)[thread] = reinterpret_cast<const uint4*>(in)[thread];
    } else if (thread == n / 4) {
        for (int rest = 4 * thread; rest < n; rest++) {
            out[rest] = in[rest];
        }
    }
}
