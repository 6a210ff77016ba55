// says: one of 
extern "C" __global__ void chain(
    unsigned int n, float factor, float most, const float* a, const float* b, float* c)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (unsigned int i = 0; i < n; i++) {
            c[i] = fminf(sqrtf(fabsf((a[i] + b[i]) * factor)), most);
        }
    }
}
