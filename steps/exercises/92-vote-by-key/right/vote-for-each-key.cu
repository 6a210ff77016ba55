// Eight votes, one for each key; lane k adds for key k.
extern "C" __global__ void count(unsigned int n, const unsigned int* keys, unsigned int* counts)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned int key = i < n ? keys[i] % 8 : 8;
    unsigned int own = 0;
    for (unsigned int k = 0; k < 8; ++k) {
        const unsigned int votes = __ballot_sync(0xffffffff, key == k);
        own = lane == k ? __popc(votes) : own;
    }
    if (lane < 8 && own > 0) {
        atomicAdd(counts + lane, own);
    }
}
