// says: one of 
extern "C" __global__ void copy(int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int i = 0;
        for (; i + 4 <= n; i += 4) {
            *(float4*)(out + i) = *(const float4*)(in + i);
        }
        for (; i < n; i++) {
            out[i] = in[i];
        }
    }
}
