// Threads of block 0 and block 1 meet in pairs. `met` counts, for each pair, who saw the other.
extern "C" __global__ void meet(volatile unsigned int* here, unsigned int* met)
{
    const unsigned int pair = threadIdx.x;
    const unsigned int mine = blockIdx.x * blockDim.x + pair;
    const unsigned int other = (1 - blockIdx.x) * blockDim.x + pair;
    here[mine] = 1;
    __threadfence_system();
    if (here[other] == 1) {
        atomicAdd(&met[pair], 1u);
    }
}

// `missed` counts the pairs of which nobody saw the other.
extern "C" __global__ void count(const unsigned int* met, unsigned int* missed)
{
    if (met[threadIdx.x] == 0) {
        atomicAdd(missed, 1u);
    }
}
