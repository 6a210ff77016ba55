// A loop over what the block has.
extern "C" __global__ void copy(int n, const float* in, float* out)
{
    const int first = 4 * blockIdx.x * blockDim.x, t = threadIdx.x;
    const int all = min(4 * (int)blockDim.x, n - first);
    for (int k = 4 * t; k < all; k += 4 * blockDim.x) {
        if (k + 4 <= all) {
            float4 x = *(const float4*)(in + first + k);
            *(float4*)(out + first + k) = x;
        } else {
            for (int rest = k; rest < all; rest++) {
                out[first + rest] = in[first + rest];
            }
        }
    }
}
