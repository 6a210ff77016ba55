// SPDX-License-Identifier: MIT OR Apache-2.0
// The selection of CUB, NVIDIA's library, in the order of the input: what the ladder's steps are compared with.
#include <cub/cub.cuh>

struct Kept {
    __host__ __device__ bool operator()(unsigned value) const { return value < 1u << 31; }
};

extern "C" int pass(void *memory, size_t *bytes, void *const *arrays, int n, cudaStream_t stream)
{
    const unsigned *values = (const unsigned *)arrays[0];
    unsigned *out = (unsigned *)arrays[1], *end = (unsigned *)arrays[2];
    return cub::DeviceSelect::If(memory, *bytes, values, out, end, n, Kept{}, stream);
}
