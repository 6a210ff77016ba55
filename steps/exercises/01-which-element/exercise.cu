extern "C" __global__ void square(const float* in, float* out)
{
    const unsigned int i = 0; // TODO: which element is this thread's?
    out[i] = in[i] * in[i];
}
