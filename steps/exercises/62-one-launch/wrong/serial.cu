#define ROUNDS 16

extern "C" __global__ void smooth(float* data)
{
    if (threadIdx.x != 0) return;
    __shared__ float tile[128];
    float* own = data + blockIdx.x * 128;
    for (unsigned int t = 0; t < 128; ++t) tile[t] = own[t];
    for (unsigned int round = 0; round < ROUNDS; ++round) {
        const float first = tile[0];
        float before = tile[127];
        for (unsigned int t = 0; t < 128; ++t) {
            const float here = tile[t];
            tile[t] = (before + here + (t == 127 ? first : tile[t + 1])) / 3.0f;
            before = here;
        }
    }
    for (unsigned int t = 0; t < 128; ++t) own[t] = tile[t];
}
