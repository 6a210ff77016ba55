// SPDX-License-Identifier: MIT OR Apache-2.0
// Kernel 4: bodies in the order of the tree, from the root down. Children move to the front of their cell's eight places.
extern "C" __global__ void sort(int n, int nodes, OWN(int) child, const int* count, volatile int* start, int* sorted, const int* bottom)
{
    const int lowest = max(*bottom, n), stride = blockDim.x * gridDim.x;
    int cell = nodes - 1 - threadIdx.x - blockIdx.x * blockDim.x;
    while (ANY_LEFT(cell >= lowest)) { // lanes stay together
        int place = cell >= lowest ? start[cell] : -1; // where its bodies begin; negative: not known yet
        if (place >= 0) {
            int used = 0;
            for (int k = 0; k < 8; k++) {
                const int ch = child[8 * (cell - n) + k];
                if (ch != EMPTY) {
                    child[8 * (cell - n) + k] = EMPTY;
                    child[8 * (cell - n) + used++] = ch;
                    if (ch < n) {
                        sorted[place++] = ch;
                    } else {
                        start[ch] = place;
                        place += count[ch];
                    }
                }
            }
            cell -= stride;
        }
    }
}
