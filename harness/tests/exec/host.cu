// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole CUDA program: what the host does around its kernels. The book's page "Host code" goes through it.
//     nvcc -arch=compute_75 -lineinfo -o host host.cu && harness exec ./host

#include <cstdio>
#include <cstdlib>

// ANCHOR: check
// Every call of the runtime returns an error; a program that does not look goes on with garbage.
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
// ANCHOR_END: check

// ANCHOR: kernels
// Adds 1 to each pixel of an image: blocks and threads in two dimensions.
__global__ void brighten(int width, int height, float *pixels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        pixels[y * width + x] += 1.0f;
}

// y = a x + y, in one dimension.
__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
// ANCHOR_END: kernels

// ANCHOR: grid
// An image that is no multiple of the block: one more block in each direction, and a test in the kernel.
void two_dimensions()
{
    const int width = 100, height = 60;
    float *image;
    CHECK(cudaMallocManaged(&image, width * height * sizeof(float)));
    for (int i = 0; i < width * height; i++)
        image[i] = i;
    dim3 block(32, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    brighten<<<grid, block>>>(width, height, image);
    CHECK(cudaGetLastError());      // could it be launched?
    CHECK(cudaDeviceSynchronize()); // did it end well?
    printf("grid %u x %u, last pixel %g\n", grid.x, grid.y, image[width * height - 1]);
    CHECK(cudaFree(image));
}
// ANCHOR_END: grid

// ANCHOR: errors
// A launch that cannot be: the error is there at once, and asking for it takes it away.
void errors()
{
    saxpy<<<1, 4096>>>(0, 0.0f, nullptr, nullptr);
    printf("4096 threads: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("asked again: %s\n", cudaGetErrorString(cudaGetLastError()));
}
// ANCHOR_END: errors

// ANCHOR: occupancy
// How many blocks fit a multiprocessor: the runtime knows the kernel's registers and shared memory.
int threads_that_fit()
{
    int least, threads, blocks;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &threads, saxpy));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, saxpy, 256, 0));
    printf("blocks of 256: %d at once, %d threads of a multiprocessor\n", blocks, 256 * blocks);
    return threads < 256 ? threads : 256;
}
// ANCHOR_END: occupancy

// ANCHOR: streams
// Two streams: while one copies, the other computes. Only page-locked memory is copied beside the rest.
float pieces(int n, int threads, float *host_x, float *host_y, float *x, float *y)
{
    const int streams = 2, piece = n / 4;
    cudaStream_t stream[streams];
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaEventRecord(begin));
    for (int from = 0, s = 0; from < n; from += piece, s = (s + 1) % streams) {
        size_t bytes = piece * sizeof(float);
        CHECK(cudaMemcpyAsync(x + from, host_x + from, bytes, cudaMemcpyHostToDevice, stream[s]));
        CHECK(cudaMemcpyAsync(y + from, host_y + from, bytes, cudaMemcpyHostToDevice, stream[s]));
        saxpy<<<(piece + threads - 1) / threads, threads, 0, stream[s]>>>(piece, 2.0f, x + from, y + from);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyAsync(host_y + from, y + from, bytes, cudaMemcpyDeviceToHost, stream[s]));
    }
    CHECK(cudaDeviceSynchronize()); // both streams
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    for (int s = 0; s < streams; s++)
        CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return milliseconds;
}
// ANCHOR_END: streams

// ANCHOR: graph
// Many small launches: recorded once, then started by one call.
void graph(int n, int threads, float *x, float *y)
{
    cudaStream_t stream;
    cudaGraph_t recorded;
    cudaGraphExec_t ready;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int k = 0; k < 3; k++)
        saxpy<<<(n + threads - 1) / threads, threads, 0, stream>>>(n, 1.0f, x, y);
    CHECK(cudaStreamEndCapture(stream, &recorded));
    CHECK(cudaGraphInstantiate(&ready, recorded, 0));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(ready));
    CHECK(cudaGraphDestroy(recorded));
    CHECK(cudaStreamDestroy(stream));
}
// ANCHOR_END: graph

// ANCHOR: main
int main()
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    printf("%s, %d multiprocessors\n", device.name, device.multiProcessorCount);

    two_dimensions();
    errors();
    int threads = threads_that_fit();

    const int n = 1 << 14;
    float *host_x, *host_y, *x, *y;
    CHECK(cudaMallocHost(&host_x, n * sizeof(float)));
    CHECK(cudaMallocHost(&host_y, n * sizeof(float)));
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) {
        host_x[i] = i;
        host_y[i] = 1.0f;
    }
    float milliseconds = pieces(n, threads, host_x, host_y, x, y);
    printf("after the streams: %g, it took %s time\n", host_y[n - 1], milliseconds > 0 ? "some" : "no");

    graph(n, threads, x, y);
    CHECK(cudaMemcpy(host_y, y, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("after the graph: %g\n", host_y[n - 1]);

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFreeHost(host_x));
    CHECK(cudaFreeHost(host_y));
    return 0;
}
// ANCHOR_END: main
