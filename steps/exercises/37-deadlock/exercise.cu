extern "C" __global__ void add(unsigned int* lock, const float* in, volatile float* sum)
{
    while (atomicCAS(lock, 0u, 1u) != 0u) {
        // another thread has the lock
    }
    *sum = *sum + in[threadIdx.x];
    __threadfence();
    atomicExch(lock, 0u);
}
