// says: work is badly divided
// A thread does the work of its block.

extern "C" __global__ void norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    x += (size_t)blockIdx.x * columns;
    y += (size_t)blockIdx.x * columns;
    if (threadIdx.x == 0) {
        float sum = 0.0f, squares = 0.0f;
        for (int i = 0; i < columns; i++) {
            sum += x[i];
        }
        const float mean = sum / columns;
        for (int i = 0; i < columns; i++) {
            squares += (x[i] - mean) * (x[i] - mean);
        }
        const float scale = rsqrtf(squares / columns + epsilon);
        for (int i = 0; i < columns; i++) {
            y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
        }
    }
}
