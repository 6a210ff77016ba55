// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each element of C, which is a sum of k products.
// Why:     the elements do not depend on each other: of the three loops over m, n and k, two become threads.
// Expect:  a percent of what the multiplications would need: neighbouring threads walk down a column, and each of them
//          reads another row of A, and writes another row of C.

#define TILE 32 // rows and columns of a block

extern "C" __global__ void gemm(int m, int n, int k, float alpha, const float *a, const float *b, float beta, float *c)
{
    const int row = threadIdx.x + blockIdx.y * TILE;
    const int column = threadIdx.y + blockIdx.x * TILE;
    if (row < m && column < n) {
        float sum = 0.0f;
        for (int i = 0; i < k; i++) {
            sum += a[row * k + i] * b[i * n + column];
        }
        float *const result = c + row * n + column;
        *result = beta == 0.0f ? alpha * sum : alpha * sum + beta * *result; // C may hold anything if beta is 0
    }
}
