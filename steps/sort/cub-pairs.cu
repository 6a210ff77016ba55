// SPDX-License-Identifier: MIT OR Apache-2.0
// The radix sort of pairs of CUB, NVIDIA's library: what the step that moves values is compared with.
#include <cub/cub.cuh>

extern "C" int pass(void *memory, size_t *bytes, void *const *arrays, int n, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(memory, *bytes, (const unsigned *)arrays[0], (unsigned *)arrays[1],
        (const unsigned *)arrays[2], (unsigned *)arrays[3], n, 0, 32, stream);
}
