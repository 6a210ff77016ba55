// SPDX-License-Identifier: MIT OR Apache-2.0
// Mistakes that were found in published code, each in a few lines of our own; the lines of the race are marked with //!.
// The book's page "Found in the wild" says where they come from. ../hazards/racy.rs demands that exactly these lines are named.

#define THREADS 128

// The largest value of a block, then the sum of the differences from it: both go through the same words of shared memory.
extern "C" __global__ void one_array_for_two(int *out, const int *in, int n)
{
    __shared__ int parts[THREADS / 32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int most = in[threadIdx.x];
    for (int far = 16; far > 0; far /= 2)
        most = max(most, __shfl_xor_sync(0xffffffff, most, far));
    if (lane == 0)
        parts[warp] = most;
    __syncthreads();
    most = max(max(parts[0], parts[1]), max(parts[2], parts[3])); //!
    int sum = most - in[threadIdx.x];
    for (int far = 16; far > 0; far /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, far);
    if (lane == 0)
        parts[warp] = sum; //!
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = parts[0] + parts[1] + parts[2] + parts[3];
}

// A chain of filters, one for each thread: each takes what its neighbour made in the round before.
extern "C" __global__ void chain(int *out, const int *in, int n)
{
    __shared__ int made[THREADS];
    int kept = 0;
    made[threadIdx.x] = 0;
    for (int round = 0; round < n; round++) {
        __syncthreads();
        const int next = threadIdx.x == 0 ? in[round] : made[threadIdx.x - 1]; //!
        kept = (kept + next) / 2;
        made[threadIdx.x] = kept; //!
    }
    out[threadIdx.x] = kept;
}

// A sum of sixteen, by partners at distances 8, 4, 2 and 1.
extern "C" __global__ void partners(int *out, const int *in, int n)
{
    __shared__ int sums[16];
    const int i = threadIdx.x;
    sums[i] = in[i];
    __syncwarp(0xffff);
    for (int far = 8; far > 0; far /= 2) {
        sums[i] += sums[i ^ far]; //!
        __syncwarp(0xffff);
    }
    out[i] = sums[i];
}

// A counter that some threads read as others change it.
extern "C" __global__ void looks_first(int *out, const int *in, int n)
{
    __shared__ int left;
    if (threadIdx.x == 0)
        left = n;
    __syncthreads();
    int place = -1;
    if (left > 0) //!
        place = atomicAdd(&left, -1) - 1; //!
    out[threadIdx.x] = place >= 0 ? in[place] : -1;
}

// Counters from the time before shared memory had atomic operations: who finds the own tag again has counted.
extern "C" __global__ void tagged(int *out, const int *in, int n)
{
    __shared__ volatile unsigned int counts[8];
    if (threadIdx.x < 8)
        counts[threadIdx.x] = 0;
    __syncwarp();
    const unsigned int tag = threadIdx.x << 27, bin = in[threadIdx.x] & 7;
    unsigned int count;
    do {
        count = tag | ((counts[bin] & 0x07ffffff) + 1);
        counts[bin] = count; //!
    } while (counts[bin] != count);
    __syncwarp();
    if (threadIdx.x < 8)
        out[threadIdx.x] = counts[threadIdx.x] & 0x07ffffff;
}

// A sum under a lock that orders nothing.
extern "C" __global__ void bare_lock(int *out, const int *in, int n)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[0], 0, 1) != 0) {
        }
        out[1] += in[blockIdx.x]; //!
        atomicExch(&out[0], 0);
    }
}
