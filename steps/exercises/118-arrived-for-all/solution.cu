#define TILE 32 // rows and columns of all tiles
#define EACH 4  // results of a thread

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

// C = A B: n × length elements times length × n elements; both are multiples of 32.
extern "C" __global__ void product(int n, int length, const float *a, const float *b, float *c)
{
    __shared__ __align__(16) float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE * EACH;
    const int part_x = threadIdx.x % 8 * 4, part_y = threadIdx.x / 8; // what it copies of each tile
    const float *const from_a = a + (blockIdx.y * TILE + part_y) * length + part_x;
    const float *const from_b = b + part_y * n + blockIdx.x * TILE + part_x;
    float sum[EACH] = {};
    copy16(&tile_a[0][part_y][part_x], from_a);
    copy16(&tile_b[0][part_y][part_x], from_b);
    for (int first = 0, now = 0; first < length; first += TILE, now ^= 1) {
        wait_for_copies();
        __syncthreads();
        const int next = first + TILE;
        if (next < length) {
            copy16(&tile_a[now ^ 1][part_y][part_x], from_a + next);
            copy16(&tile_b[now ^ 1][part_y][part_x], from_b + next * n);
        }
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < EACH; j++) {
                sum[j] += tile_a[now][y + j][i] * tile_b[now][i][x];
            }
        }
    }
    for (int j = 0; j < EACH; j++) {
        c[(blockIdx.y * TILE + y + j) * n + blockIdx.x * TILE + x] = sum[j];
    }
}
