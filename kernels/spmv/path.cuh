// SPDX-License-Identifier: MIT OR Apache-2.0
// One list of the elements of a matrix and the ends of its rows: the elements of a row come first, then its end.

// How many of the first `items` of the list are ends of rows; `ends` says behind which element each row ends.
__device__ __forceinline__ int ended_rows(int items, int rows, int elements, const int *ends)
{
    int least = max(0, items - elements), most = min(items, rows);
    while (least < most) {
        const int middle = (least + most) >> 1;
        if (ends[middle] <= items - middle - 1) { // its end and all before it are among them
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    return least;
}
