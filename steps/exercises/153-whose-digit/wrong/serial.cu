// says: work is badly divided
// A thread does all the work.

#define DIGITS 256
#define PASSES 4

extern "C" __global__ void histogram(unsigned int n, const unsigned int *in, unsigned int *totals)
{
    if (threadIdx.x > 0 || blockIdx.x > 0) {
        return;
    }
    for (unsigned int i = 0; i < n; i++) {
        for (unsigned int pass = 0; pass < PASSES; pass++) {
            totals[pass * DIGITS + (in[i] >> 8 * pass & (DIGITS - 1))]++;
        }
    }
}

extern "C" __global__ void sweep(unsigned int n, unsigned int pass, const unsigned int *in, unsigned int *out,
    const unsigned int *totals, unsigned int *tickets, volatile unsigned int *states, const unsigned int *values,
    unsigned int *values_out)
{
    if (threadIdx.x > 0 || blockIdx.x > 0) {
        return;
    }
    unsigned int place[DIGITS], sum = 0;
    for (unsigned int d = 0; d < DIGITS; d++) {
        place[d] = sum;
        sum += totals[pass * DIGITS + d];
    }
    for (unsigned int i = 0; i < n; i++) {
        const unsigned int to = place[in[i] >> 8 * pass & (DIGITS - 1)]++;
        out[to] = in[i];
        values_out[to] = values[i];
    }
}
