#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "device.h"
typedef struct { unsigned x, y, z; } dim3;
extern void **__cudaRegisterFatBinary(void *);
extern void __cudaRegisterFunction(void **, const void *, void *, const char *, int, void *, void *, void *, void *, void *);
extern int cudaMalloc(void **, size_t), cudaMemset(void *, int, size_t), cudaMemcpy(void *, const void *, size_t, int);
extern int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *), cudaDeviceSynchronize(void);
extern int cudaImportExternalMemory(void *, void *);
extern const char *cudaGetErrorName(int);
static struct { int magic, version; const void *data; void *other; } wrapper = {0x466243b1, 1, device_code, 0};
static void sum(void) {}
static void race(void) {}
int main(int count, char **arguments) {
    int want = count > 1 ? atoi(arguments[1]) : 0;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, sum, 0, "_Z3sumPj", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(handle, race, 0, "race", -1, 0, 0, 0, 0, 0);
    unsigned *total, result = 0;
    cudaMalloc((void **)&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    dim3 grid = {4, 1, 1}, block = {64, 1, 1};
    void *arguments_of_kernel[] = {&total};
    cudaLaunchKernel(sum, grid, block, arguments_of_kernel, 0, 0);
    if (want == 100) cudaLaunchKernel(race, grid, block, arguments_of_kernel, 0, 0);
    for (int more = 0; want == 103 && more < 3; more++) cudaLaunchKernel(race, grid, block, arguments_of_kernel, 0, 0);
    if (want == 101) { total += 1; cudaLaunchKernel(sum, grid, block, arguments_of_kernel, 0, 0); }
    if (want == 102) cudaImportExternalMemory(0, 0);
    if (want == 104) for (alarm(60), puts("spins"), fflush(stdout);;);
    int error = cudaDeviceSynchronize();
    if (!error) cudaMemcpy(&result, total, sizeof result, 2);
    printf("%s, %u\n", cudaGetErrorName(error), result);
    return want < 100 ? want : 0;
}
