// SPDX-License-Identifier: MIT OR Apache-2.0
// The loop of the tutorial's slide 59 that is correct on every GPU: a lane that is done says so inside of the loop.

extern "C" __global__ void spin(volatile int *ready) // the first two are set by the host
{
    const int k = threadIdx.x + 2, i = k - 1, j = k - 2;
    int cnt;
    do {
        cnt = 0;
        if (ready[i] != 0) cnt++;
        if (ready[j] != 0) cnt++;
        if (cnt == 2) ready[k] = 1;
    } while (cnt < 2);
}
