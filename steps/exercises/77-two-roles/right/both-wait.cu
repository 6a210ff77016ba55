// Named barriers: `sync` waits until all 64 threads have come to barrier `name`; `arrive` comes and does not wait.
static __device__ void sync(int name)
{
    asm volatile("bar.sync %0, 64;" ::"r"(name) : "memory");
}

static __device__ void arrive(int name)
{
    asm volatile("bar.arrive %0, 64;" ::"r"(name) : "memory");
}

// Warp 0 loads, warp 1 adds. Barrier 1 + s says that buffer s is full, barrier 3 + s that it is empty.
extern "C" __global__ void sum(const float* in, float* out)
{
    __shared__ float buffer[2][32];
    const unsigned int lane = threadIdx.x % 32;
    const unsigned int tiles = 8;
    const float* own = in + blockIdx.x * tiles * 32;
    if (threadIdx.x < 32) {
        for (unsigned int k = 0; k < tiles; k++) {
            if (k >= 2) {
                sync(3 + k % 2);
            }
            buffer[k % 2][lane] = own[k * 32 + lane];
            sync(1 + k % 2);
        }
    } else {
        float all = 0.0f;
        for (unsigned int k = 0; k < tiles; k++) {
            sync(1 + k % 2);
            all += buffer[k % 2][31 - lane];
            if (k + 2 < tiles) {
                arrive(3 + k % 2);
            }
        }
        out[blockIdx.x * 32 + lane] = all;
    }
}
