// The wait and the barrier for the next tiles are at the end of the loop, after the work.
#define TILE 32

// Begins to copy 16 bytes from global to shared memory.
__device__ void copy16(void *to, const void *from)
{
    const unsigned int place = (unsigned int)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
}

// Waits for all copies that this thread has begun.
__device__ void wait_for_copies()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

extern "C" __global__ void product(int n, int length, const float *a, const float *b, float *c)
{
    __shared__ float4 tile_a[2][TILE][TILE / 4], tile_b[2][TILE][TILE / 4];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const int part = threadIdx.x % 8, of = threadIdx.x / 8;
    const float *from_a = a + (blockIdx.y * TILE + of) * length + part * 4, *from_b = b + of * n + blockIdx.x * TILE + part * 4;
    float sum[4] = {};
    int now = 0, left = length;
    copy16(&tile_a[0][of][part], from_a);
    copy16(&tile_b[0][of][part], from_b);
    wait_for_copies();
    __syncthreads();
    while (true) {
        left -= TILE;
        if (left > 0) {
            copy16(&tile_a[1 - now][of][part], from_a += TILE);
            copy16(&tile_b[1 - now][of][part], from_b += TILE * n);
        }
        for (int i = 0; i < TILE; i++) {
            const float of_b = ((const float *)tile_b[now][i])[x];
            for (int j = 0; j < 4; j++) {
                sum[j] += ((const float *)tile_a[now][y + 8 * j])[i] * of_b;
            }
        }
        if (left == 0) {
            break;
        }
        wait_for_copies();
        __syncthreads();
        now = 1 - now;
    }
    for (int j = 0; j < 4; j++) {
        c[(blockIdx.y * TILE + y + 8 * j) * n + blockIdx.x * TILE + x] = sum[j];
    }
}
