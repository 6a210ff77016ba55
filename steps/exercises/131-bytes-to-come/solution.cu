#define TILE 256 // elements of a tile, threads of a block

// A barrier in shared memory (`mbarrier`). A phase ends when all arrivals have come, and all bytes that were announced.
typedef unsigned long long Barrier;

__device__ unsigned int address(const void *shared)
{
    return (unsigned int)__cvta_generic_to_shared(shared);
}

// Begins the first phase of a barrier, and shows it to the copy engine. Each phase ends after so many arrivals.
__device__ void begin(Barrier *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives, and announces that so many bytes will come.
__device__ void announce(Barrier *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
}

// Waits for the end of a phase. Phases have the parities 0, 1, 0 and so on.
__device__ void wait(Barrier *barrier, int parity)
{
    unsigned int ended;
    do {
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(ended) : "r"(address(barrier)), "r"(parity) : "memory");
    } while (!ended);
}

// Begins to copy bytes from global to shared memory, where they arrive at the barrier.
__device__ void copy(void *to, const void *from, int bytes, Barrier *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(address(to)), "l"(from), "r"(bytes), "r"(address(barrier)) : "memory");
}

// c = a + b, tile after tile. The grid has fewer blocks than there are tiles.
extern "C" __global__ void add(int tiles, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) float tile_a[TILE], tile_b[TILE];
    __shared__ Barrier both;
    if (threadIdx.x == 0) {
        begin(&both, 1);
    }
    __syncthreads(); // the first phase has begun
    for (int tile = blockIdx.x, round = 0; tile < tiles; tile += gridDim.x, round++) {
        const int first = tile * TILE;
        if (threadIdx.x == 0) {
            announce(&both, sizeof(tile_a) + sizeof(tile_b));
            copy(tile_a, a + first, sizeof(tile_a), &both);
            copy(tile_b, b + first, sizeof(tile_b), &both);
        }
        wait(&both, round % 2);
        c[first + threadIdx.x] = tile_a[threadIdx.x] + tile_b[threadIdx.x];
        __syncthreads(); // all have read both tiles
    }
}
