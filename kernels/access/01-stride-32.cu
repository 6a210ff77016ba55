// SPDX-License-Identifier: MIT OR Apache-2.0
// Changed: nothing yet: a thread for each element; neighbouring lanes take elements STRIDE apart.
// Why:     each of the 32 elements of a warp then lies in a sector of its own, of which it uses 4 of 32 bytes.
// Expect:  an eighth of the bandwidth at most: every sector is moved eight times, for one element each time.

#ifndef STRIDE
#define STRIDE 32 // elements from one lane's to the next lane's
#endif

// A row of blocks copies every STRIDE-th element; as many rows copy all.
extern "C" __global__ void copy(unsigned int n, const float* in, float* out)
{
    const unsigned int i = (threadIdx.x + blockIdx.x * blockDim.x) * STRIDE + blockIdx.y;
    if (i < n) {
        out[i] = in[i];
    }
}
