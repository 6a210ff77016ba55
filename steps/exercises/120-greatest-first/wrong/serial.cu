// says: work is badly divided
// A thread does the work of its block.

extern "C" __global__ void softmax(int rows, int columns, const float *x, float *y)
{
    const float *const from = x + (size_t)blockIdx.x * columns;
    float *const to = y + (size_t)blockIdx.x * columns;
    if (threadIdx.x == 0) {
        float most = from[0], sum = 0.0f;
        for (int i = 0; i < columns; i++) {
            most = fmaxf(most, from[i]);
        }
        for (int i = 0; i < columns; i++) {
            sum += expf(from[i] - most);
        }
        for (int i = 0; i < columns; i++) {
            to[i] = expf(from[i] - most) / sum;
        }
    }
}
