// says: one of 
extern "C" __global__ void triple(unsigned int n, const float* in, float* out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        // Wide, so that there are few requests.
        unsigned int i = 0;
        for (; i + 4 <= n; i += 4) {
            const float4 x = *(const float4*)(in + i);
            *(float4*)(out + i) = make_float4(3 * x.x, 3 * x.y, 3 * x.z, 3 * x.w);
        }
        for (; i < n; ++i) {
            out[i] = 3 * in[i];
        }
    }
}
