// Each warp fetches for itself: a shuffle tells its lanes, and shared memory is not needed.
extern "C" __global__ void process(unsigned int n, const unsigned int* in, unsigned int* out, unsigned int* next)
{
    const unsigned int lane = threadIdx.x % 32;
    while (true) {
        unsigned int first = lane == 0 ? atomicAdd(next, 32) : 0;
        first = __shfl_sync(0xffffffff, first, 0);
        if (first >= n) {
            return;
        }
        if (first + lane < n) {
            out[first + lane] = 3 * in[first + lane] + 1;
        }
    }
}
