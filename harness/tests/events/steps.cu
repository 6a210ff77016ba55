// Kernels in C++ for launches that share buffers: see ../all/events_launches.rs.
struct Line {
    int n;
    float factor[2];
    float *out;
};

__constant__ float shift;
__device__ int calls;

__global__ void line(Line line)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < line.n)
        line.out[i] = line.factor[0] * i + line.factor[1];
}

template <int N>
__global__ void add(float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] += shift;
    if (i == 0)
        calls++;
}
template __global__ void add<40>(float *);

// Dynamic shared memory of a word for each thread.
__global__ void reversed(int *out)
{
    extern __shared__ int tile[];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
