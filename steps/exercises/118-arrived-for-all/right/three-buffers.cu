// Two pairs of tiles are on their way, each a group of copies.
#define TILE 32

__device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

extern "C" __global__ void product(int n, int length, const float *a, const float *b, float *c)
{
    __shared__ float4 tile_a[3][TILE][TILE / 4], tile_b[3][TILE][TILE / 4];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE, part = threadIdx.x % 8, of = threadIdx.x / 8;
    const auto fetch = [&](int tile) {
        if (tile < length / TILE) {
            copy16(&tile_a[tile % 3][of][part], a + (blockIdx.y * TILE + of) * length + tile * TILE + part * 4);
            copy16(&tile_b[tile % 3][of][part], b + (tile * TILE + of) * n + blockIdx.x * TILE + part * 4);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    float sum[4] = {};
    fetch(0);
    fetch(1);
    for (int tile = 0; tile < length / TILE; tile++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        fetch(tile + 2);
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < 4; j++) {
                sum[j] += ((const float *)tile_a[tile % 3][y * 4 + j])[i] * ((const float *)tile_b[tile % 3][i])[x];
            }
        }
    }
    for (int j = 0; j < 4; j++) {
        c[(blockIdx.y * TILE + y * 4 + j) * n + blockIdx.x * TILE + x] = sum[j];
    }
}
