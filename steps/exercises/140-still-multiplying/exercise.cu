#define ROWS 64 // of A and C for a block
#define COLUMNS 8 // of B and C
#define TERMS 8 // of the sums at a time

// Shared memory holds small matrices of 8 rows and 4 terms, each in 128 bytes: those of the same rows side by side, then the
// next 8 rows. So the tensor cores are told 128 bytes from one to the next along a row, and 256 along a column.
__device__ unsigned long long descriptor(const float *tile)
{
    const unsigned int start = (unsigned int)__cvta_generic_to_shared(tile);
    return start % (1 << 18) / 16 | (unsigned long long)(128 / 16) << 16 | (unsigned long long)(256 / 16) << 32;
}

// Where term k of a row lies in such a tile.
__device__ int place(int row, int k)
{
    return row / 8 * 64 + k / 4 * 32 + row % 8 * 4 + k % 4;
}

// Before the first product, and after other instructions have used the sums.
__device__ void begin_products()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Begins to add a product to the sums, and does not wait for it.
__device__ void multiply(float (&sum)[4], const float *a, const float *b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, 1, 1, 1;"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]) : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits for all products of this warp.
__device__ void wait_for_products(float (&sum)[4])
{
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])::"memory");
}

// C = A B: rows of A and columns of B have k terms, which lie one after the other.
extern "C" __global__ void __launch_bounds__(128) product(int k, const float *a, const float *b, float *c)
{
    __shared__ __align__(128) float tile_a[ROWS * TERMS], tile_b[COLUMNS * TERMS];
    const int top = blockIdx.x * ROWS;
    float sum[4] = {};
    for (int first = 0; first < k; first += TERMS) {
        for (int i = threadIdx.x; i < ROWS * TERMS; i += 128) {
            tile_a[place(i / TERMS, i % TERMS)] = a[(top + i / TERMS) * k + first + i % TERMS];
        }
        if (threadIdx.x < COLUMNS * TERMS) {
            tile_b[place(threadIdx.x / TERMS, threadIdx.x % TERMS)] = b[threadIdx.x / TERMS * k + first + threadIdx.x % TERMS];
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); // the tensor cores see what this thread has written
        __syncthreads(); // the tiles are complete
        begin_products();
        multiply(sum, tile_a, tile_b);
        __syncthreads(); // all have begun their products
    }
    wait_for_products(sum);
    const int row = top + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; i++) {
        c[(row + i / 2 * 8) * COLUMNS + column + i % 2] = sum[i];
    }
}
