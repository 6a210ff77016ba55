// SPDX-License-Identifier: MIT OR Apache-2.0
// A barrier of the whole grid on the word that the driver keeps for it, 4 bytes after the address in two environment
// registers: each block adds 1, but for the first, which adds what is missing to 2³¹. Who sees the top bit change goes on.

__device__ unsigned *grid_barrier()
{
    unsigned high, low;
    asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (unsigned *)((unsigned long long)high << 32 | low) + 1;
}

__device__ void sync_grid(unsigned *barrier)
{
    if (barrier == (unsigned *)0 + 1) __trap(); // not a cooperative launch
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned part = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
        unsigned old, now;
        asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(old) : "l"(barrier), "r"(part) : "memory");
        do {
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(barrier) : "memory");
        } while (((old ^ now) & 0x80000000u) == 0);
    }
    __syncthreads();
}

// Rounds of sums over neighbours: each half of a[] is written from the other.
extern "C" __global__ void rounds(unsigned *a, unsigned count)
{
    const unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned r = 0; r < count; r++) {
        a[(r + 1) % 2 * n + i] = a[r % 2 * n + (i + 1) % n] + a[r % 2 * n + i];
        sync_grid(grid_barrier());
    }
}
