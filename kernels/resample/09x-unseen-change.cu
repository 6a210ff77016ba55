// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: an experiment: a thread adds 1 to its texel twice, each time to what the texture gives.
// Why:     the texture cache does not see what the same launch writes through a surface; the next launch does.
// Expect:  after two launches 2 more than at first, not 4. CUDA promises no more than that it is from 2 to 4.

extern "C" __global__ void set(int n, const float* numbers, cudaSurfaceObject_t changed)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= n) return;
    surf2Dwrite(numbers[row * n + column], changed, column * (int)sizeof(float), row);
}

extern "C" __global__ void resample(int n, cudaTextureObject_t texels, cudaSurfaceObject_t changed)
{
    const int column = threadIdx.x + blockIdx.x * blockDim.x;
    const int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (column >= n || row >= n) return;
    const float x = tex2D<float>(texels, column + 0.5f, row + 0.5f);
    surf2Dwrite(x + 1, changed, column * (int)sizeof(float), row);
    // The position depends on the first sample: to the compiler this is another one.
    const float again = tex2D<float>(texels, column + 0.5f + 0.0f * x, row + 0.5f);
    surf2Dwrite(again + 1, changed, column * (int)sizeof(float), row);
}
