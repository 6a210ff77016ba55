extern "C" __global__ void add(unsigned int* lock, const float* in, volatile float* sum)
{
    for (bool done = false; !done;) {
        if (atomicExch(lock, 1u) == 0u) {
            *sum += in[threadIdx.x];
            __threadfence();
            atomicExch(lock, 0u);
            done = true;
        }
    }
}
