// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: a thread copies a whole record of FIELDS elements, one field after the other.
// Why:     lanes lie FIELDS elements apart, but the loads that follow use what is left of the same sectors.
// Expect:  more requests for the same bytes: whether that costs time depends on how long the L1 cache keeps sectors.

#ifndef FIELDS
#define FIELDS 10 // elements of a record: 40 bytes
#endif

struct Record {
    float fields[FIELDS];
};

extern "C" __global__ void copy(unsigned int n, const float* in, float* out)
{
    const unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n / FIELDS) {
        ((Record*)out)[i] = ((const Record*)in)[i];
    } else if (i == n / FIELDS) {
        for (unsigned int rest = i * FIELDS; rest < n; rest++) {
            out[rest] = in[rest];
        }
    }
}
