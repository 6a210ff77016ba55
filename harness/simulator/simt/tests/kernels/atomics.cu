// SPDX-License-Identifier: MIT OR Apache-2.0
// Plain accesses next to atomics: not ordered with them in the lines that are marked with //!, and clean.

extern "C" __global__ void read_at_once(int *out, const int *in, int n) // the count may still grow
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[0], in[i] & 1); //!
    out[1 + i] = out[0]; //!
}

extern "C" __global__ void reset_at_once(int *out, const int *in, int n) // others may have counted before it is 0
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 0; //!
    atomicAdd(&out[0], in[threadIdx.x] & 1); //!
}

extern "C" __global__ void reset_for_the_next(int *out, const int *in, int n) // and other blocks still count
{
    atomicAdd(&out[0], in[threadIdx.x] & 1); //!
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 0; //!
}

extern "C" __global__ void look_first(int *out, const int *in, int n) // the least, with a look that saves some atomics
{
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
    if (value > out[0]) //!
        atomicMax(&out[0], value); //!
}

extern "C" __global__ void message(int *out, const int *in, int n) // the place is given by an atomic, what is there is not
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int place = atomicAdd(&out[0], 1);
    out[1 + place] = in[i] & 63; //!
    const int other = out[1 + (place ^ 1)]; //!
    atomicAdd(&out[512], other);
}

__device__ unsigned finished;

extern "C" __global__ void last_block(int *out, const int *in, int n) // no fence before its atomic
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x] & 7);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = sum; //!
        if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++)
                total += out[1 + b]; //!
            out[0] = total;
        }
    }
}

extern "C" __global__ void plain_unlock(int *out, const int *in, int n) // the lock is given back by a plain store
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[0], 0, 1) != 0) { //!
        }
        __threadfence();
        out[1] += in[blockIdx.x]; //!
        __threadfence();
        out[0] = 0; //!
    }
}

extern "C" __global__ void shared_count(int *out, const int *in, int n) // the barrier before the read is missing
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, in[threadIdx.x] & 1); //!
    out[threadIdx.x] = count; //!
}

extern "C" __global__ void mixed_counts(int *out, const int *in, int n) // one warp counts without atomics
{
    __shared__ int counts[64];
    const int tid = threadIdx.x;
    counts[tid] = 0;
    __syncthreads();
    if (tid < 32)
        atomicAdd(&counts[in[tid] & 1], 1); //!
    else if (tid == 32)
        counts[0] += 1; //!
    __syncthreads();
    out[tid] = counts[tid];
}

extern "C" __global__ void clean_in_turn(int *out, const int *in, int n) // begin, count, read: a barrier between each
{
    int *const count = out + blockIdx.x;
    if (threadIdx.x == 0)
        *count = 0;
    __syncthreads();
    atomicAdd(count, in[threadIdx.x] & 1);
    __syncthreads();
    out[64 + blockIdx.x * blockDim.x + threadIdx.x] = *count;
    __syncthreads();
    if (threadIdx.x == 0)
        *count += 1;
}

extern "C" __global__ void clean_tickets(int *out, const int *in, int n) // each takes a place and fills it
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] & 1) {
        const int place = atomicAdd(&out[0], 1);
        out[64 + place] = i;
        out[64 + place] += 1;
    }
}

extern "C" __global__ void clean_sum_by_cas(double *out, const int *in, int n) // as the programming guide has it
{
    unsigned long long *const address = (unsigned long long *)out;
    unsigned long long old = *address, assumed;
    do {
        assumed = old;
        const double sum = (in[threadIdx.x] & 7) + __longlong_as_double(assumed);
        old = atomicCAS(address, assumed, __double_as_longlong(sum));
    } while (assumed != old);
}

extern "C" __global__ void clean_list(int *out, const int *in, int n) // pushed to the front by compare-and-swap
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int head = out[0];
    for (;;) {
        out[64 + i] = head;
        const int found = atomicCAS(&out[0], head, i + 1);
        if (found == head)
            break;
        head = found;
    }
}

extern "C" __global__ void clean_table(int *out, const int *in, int n) // who wins a slot fills it
{
    const int key = (in[blockIdx.x * blockDim.x + threadIdx.x] & 255) + 1;
    int slot = key * 7 & 511;
    for (;;) {
        const int found = atomicCAS(&out[slot], 0, key);
        if (found == 0)
            out[512 + slot] = key * key;
        if (found == 0 || found == key)
            break;
        slot = (slot + 1) & 511;
    }
}

extern "C" __global__ void clean_volatile_look(int *out, const int *in, int n) // the look is volatile
{
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
    if (value > *(volatile int *)out)
        atomicMax(&out[0], value);
}

extern "C" __global__ void clean_atomic_look(int *out, const int *in, int n) // read by an atomic that changes nothing
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[0], in[i] & 1);
    out[1 + i] = atomicAdd(&out[0], 0);
}

extern "C" __global__ void clean_stop(int *out, const int *in, int n) // all stop when one has found it
{
    volatile int *const found = out;
    for (int k = threadIdx.x; k < n && *found == 0; k += blockDim.x)
        if ((in[k] & 63) == 5)
            atomicExch(&out[0], k + 1);
}

extern "C" __global__ void clean_last_block(int *out, const int *in, int n) // a fence before the atomic, one after it
{
    __shared__ int sum;
    __shared__ bool is_last;
    const int tid = threadIdx.x;
    if (tid == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + tid] & 7);
    out[64 + blockIdx.x * blockDim.x + tid] = tid; // every thread's own part
    __threadfence();
    __syncthreads();
    if (tid == 0) {
        out[1 + blockIdx.x] = sum;
        __threadfence();
        is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        int total = 0;
        for (int b = tid; b < gridDim.x; b += blockDim.x)
            total += out[1 + b];
        for (int i = tid; i < gridDim.x * blockDim.x; i += blockDim.x)
            total += out[64 + i];
        atomicAdd(&out[0], total);
    }
}

extern "C" __global__ void clean_lock(int *out, const int *in, int n) // fences on both sides, and an atomic to unlock
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&out[0], 0, 1) != 0) {
        }
        __threadfence();
        out[1] += in[blockIdx.x];
        __threadfence();
        atomicExch(&out[0], 0);
    }
}

extern "C" __global__ void clean_shared_count(int *out, const int *in, int n) // read and begun anew in turn
{
    __shared__ int count;
    for (int k = 0; k < 3; k++) {
        if (threadIdx.x == 0)
            count = 0;
        __syncthreads();
        atomicAdd(&count, in[64 * k + threadIdx.x] & 1);
        __syncthreads();
        out[64 * k + threadIdx.x] = count;
        __syncthreads();
    }
}

extern "C" __global__ void clean_own_word(int *out, const int *in, int n) // atomics on what no other thread uses
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    atomicAdd(&out[i], 1);
    out[i] = out[i] * 2;
}

extern "C" __global__ void clean_least(float *out, const int *in, int n) // the least float, by compare-and-swap
{
    __shared__ float least;
    if (threadIdx.x == 0)
        least = 1e9f;
    __syncthreads();
    const float value = (float)(in[threadIdx.x] & 1023);
    int *const bits = (int *)&least;
    int old = *bits;
    while (value < __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
    __syncthreads();
    out[threadIdx.x] = least;
}
