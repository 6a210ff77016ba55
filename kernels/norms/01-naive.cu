// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each row adds up its elements, then the squares of their distances from the mean, and writes the results.
// Why:     rows do not depend on each other. Distances from the mean are small, even where the elements are not.
// Expect:  slow: neighbouring threads read elements that lie a row apart, and each element is read three times.

extern "C" __global__ void norms(
    int rows, int columns, float epsilon, const float *x, const float *weight, const float *bias, float *y)
{
    const int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row >= rows) {
        return;
    }
    x += (size_t)row * columns;
    y += (size_t)row * columns;
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
