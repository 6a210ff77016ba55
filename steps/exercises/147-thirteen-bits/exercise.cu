#define ROWS 64 // of A and C for a block
#define COLUMNS 8 // of B and C
#define TERMS 128 // of the sums at a time

// In steps/exercises. fp8(x) is a number in eight bits, and place(row, term) is where it lies in a tile.
// multiply(sum, a, b) begins to add a product of two tiles to the sums, and does not wait for it. begin_products(sum)
// comes before it, after threads have set or used the sums. wait_for_products(sum) waits for all products of this warp.
#include "products8.cuh"

// C = A B: rows of A and columns of B have k terms, which lie one after the other. All are whole numbers below 16.
extern "C" __global__ void __launch_bounds__(128) product(
    int k, const unsigned char *a, const unsigned char *b, float *c)
{
    __shared__ __align__(128) unsigned char tile_a[ROWS * TERMS], tile_b[COLUMNS * TERMS];
    const int top = blockIdx.x * ROWS;
    float sum[4] = {};
    for (int first = 0; first < k; first += TERMS) {
        for (int i = threadIdx.x; i < ROWS * TERMS; i += 128) {
            tile_a[place(i / TERMS, i % TERMS)] = fp8(a[(top + i / TERMS) * k + first + i % TERMS] % 16);
        }
        for (int i = threadIdx.x; i < COLUMNS * TERMS; i += 128) {
            tile_b[place(i / TERMS, i % TERMS)] = fp8(b[i / TERMS * k + first + i % TERMS] % 16);
        }
        show_to_engine(); // the tensor cores see what this thread has written
        __syncthreads(); // the tiles are complete
        begin_products(sum);
        multiply(sum, tile_a, tile_b);
        wait_for_products(sum);
        __syncthreads(); // the tiles may be written again
    }
    const int row = top + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; i++) {
        c[(row + i / 2 * 8) * COLUMNS + column + i % 2] = sum[i];
    }
}
