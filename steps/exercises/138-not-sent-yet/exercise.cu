#define TILE 256 // elements of a tile, threads of a block

__device__ unsigned int address(const void *shared)
{
    return (unsigned int)__cvta_generic_to_shared(shared);
}

// Begins to copy bytes from shared to global memory.
__device__ void send(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 ::"l"(to), "r"(address(from)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until the copy engine has read all that this thread sends.
__device__ void wait_until_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// What this thread has written to shared memory is seen by the copy engine.
__device__ void show_to_engine()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// out = factor * in, tile after tile. The grid has fewer blocks than there are tiles.
extern "C" __global__ void scale(int tiles, float factor, const float *in, float *out)
{
    __shared__ __align__(16) float tile[TILE];
    for (int i = blockIdx.x; i < tiles; i += gridDim.x) {
        tile[threadIdx.x] = factor * in[i * TILE + threadIdx.x];
        show_to_engine();
        __syncthreads(); // the tile is complete
        if (threadIdx.x == 0) {
            send(out + i * TILE, tile, sizeof(tile));
        }
        __syncthreads(); // the tile is on its way
    }
}
