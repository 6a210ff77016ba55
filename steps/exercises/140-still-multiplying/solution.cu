#define ROWS 64 // of A and C for a block
#define COLUMNS 8 // of B and C
#define TERMS 8 // of the sums at a time

// In steps/exercises. place(row, term) is where an element lies in a tile. multiply(sum, a, b) begins to add a product
// of two tiles to the sums, and does not wait for it. wait_for_products(sum) waits for all products of this warp, and
// begin_products() comes before the first one.
#include "products.cuh"

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
            const int column = threadIdx.x / TERMS, term = threadIdx.x % TERMS;
            tile_b[place(column, term)] = b[column * k + first + term];
        }
        show_to_engine(); // the tensor cores see what this thread has written
        __syncthreads(); // the tiles are complete
        begin_products();
        multiply(sum, tile_a, tile_b);
        wait_for_products(sum);
        __syncthreads(); // the tiles may be written again
    }
    const int row = top + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; i++) {
        c[(row + i / 2 * 8) * COLUMNS + column + i % 2] = sum[i];
    }
}
