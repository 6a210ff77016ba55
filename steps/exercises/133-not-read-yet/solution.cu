#define TILE 256 // elements of a tile, threads that add
#define STAGES 3 // tiles in shared memory

// In steps/exercises. A phase of its barriers (`mbarrier`) ends when all arrivals have come, and all announced bytes:
// begin(barrier, arrivals), arrive(barrier), announce(barrier, bytes) which arrives as well, and wait(barrier, parity).
// copy(to, from, bytes, barrier) begins a copy from global to shared memory, whose bytes come to the barrier.
#include "copies.cuh"

// The sums of the columns of some rows of 256 elements, which a block has. One thread more has tiles copied ahead.
extern "C" __global__ void sums(int tiles, const float *in, float *out)
{
    __shared__ __align__(16) float stages[STAGES][TILE];
    __shared__ Barrier full[STAGES], empty[STAGES];
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            begin(&full[stage], 1);
            begin(&empty[stage], TILE);
        }
    }
    __syncthreads(); // the first phases have begun
    if (threadIdx.x >= TILE) {
        const float *const from = in + blockIdx.x * tiles * TILE;
        for (int tile = 0; threadIdx.x == TILE && tile < tiles; tile++) {
            const int stage = tile % STAGES, round = tile / STAGES;
            wait(&empty[stage], round % 2 ^ 1); // in round 0 at once: the phase before the first has the parity 1
            announce(&full[stage], sizeof(stages[stage]));
            copy(stages[stage], from + tile * TILE, sizeof(stages[stage]), &full[stage]);
        }
        return;
    }
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        const int stage = tile % STAGES, round = tile / STAGES;
        wait(&full[stage], round % 2);
        sum += stages[stage][threadIdx.x];
        arrive(&empty[stage]);
    }
    out[blockIdx.x * TILE + threadIdx.x] = sum;
}
