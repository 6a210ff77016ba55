// Four neighbours by one load; A's tile has columns as rows.
#define TILE 64
#define DEPTH 8

extern "C" __global__ void product(int n, int columns, int length, const float *a, const float *b, float *c)
{
    __shared__ float4 tile_a[DEPTH][TILE / 4], tile_b[DEPTH][TILE / 4];
    const int t = threadIdx.y * 16 + threadIdx.x, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float4 sum[4] = {};
    for (int first = 0; first < length; first += DEPTH) {
        for (int at = t; at < TILE * DEPTH; at += 256) {
            const int row = top + at / DEPTH, term = first + at % DEPTH;
            ((float *)tile_a[at % DEPTH])[at / DEPTH] = row < n && term < length ? a[row * length + term] : 0.0f;
            const int of_b = first + at / TILE, column = left + at % TILE;
            ((float *)tile_b)[at] = of_b < length && column < columns ? b[of_b * columns + column] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < DEPTH; i++) {
            const float4 down = tile_a[i][threadIdx.y], across = tile_b[i][threadIdx.x];
            const float factors[4] = {down.x, down.y, down.z, down.w};
            for (int j = 0; j < 4; j++) {
                sum[j].x += factors[j] * across.x;
                sum[j].y += factors[j] * across.y;
                sum[j].z += factors[j] * across.z;
                sum[j].w += factors[j] * across.w;
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++) {
        const int row = top + threadIdx.y * 4 + j, column = left + threadIdx.x * 4;
        const float all[4] = {sum[j].x, sum[j].y, sum[j].z, sum[j].w};
        for (int l = 0; l < 4 && row < n; l++) {
            if (column + l < columns) {
                c[row * columns + column + l] = all[l];
            }
        }
    }
}
