extern "C" __global__ void smooth(unsigned int n, const float* in, float* out)
{
    __shared__ float own[128], before, after;
    const int t = threadIdx.x, i = blockIdx.x * 128 + t, last = n;
    own[t] = i < last ? in[i] : 0.0f;
    if (t == 32) before = i - 33 >= 0 ? in[i - 33] : 0.0f;
    if (t == 64) after = i + 64 < last ? in[i + 64] : 0.0f;
    __syncthreads();
    if (i >= last) return;
    const float left = t == 0 ? before : own[t - 1], right = t == 127 ? after : own[t + 1];
    out[i] = (left + own[t] + right) * (1.0f / 3.0f);
}
