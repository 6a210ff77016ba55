// SPDX-License-Identifier: MIT OR Apache-2.0
// What CUB, NVIDIA's library, takes for the problems of the ladders reduction, scan, append and histogram, at their sizes,
// and a copy of what is scanned:
//   nvcc -O3 -std=c++17 -arch=native -o measure measure.cu && ./measure > cub.csv
// One line for each: the ladder, its data, the library's function, n, bytes that the problem reads and writes, and the
// median time of a pass of 25 samples, in seconds. Results are checked against sums made on the host.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

static void check(cudaError_t error, const char* what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

static void expect(bool right, const char* what)
{
    if (!right) {
        fprintf(stderr, "%s: wrong result\n", what);
        exit(1);
    }
}

template <class T>
static T* on_device(const std::vector<T>& values)
{
    T* device;
    check(cudaMalloc(&device, values.size() * sizeof(T)), "memory");
    check(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
    return device;
}

// The median time of a pass, in seconds; passes of a sample run one after the other for half a millisecond at least.
template <class Pass>
static double median(Pass pass)
{
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    std::vector<double> samples;
    int passes = 1;
    for (int sample = -3; sample < 25; sample++) {
        cudaEventRecord(begin);
        for (int k = 0; k < passes; k++) {
            check(pass(), "pass");
        }
        cudaEventRecord(end);
        check(cudaEventSynchronize(end), "passes");
        float milliseconds;
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (sample < 0) {
            passes = std::max(1, (int)(0.5 * passes / milliseconds) + 1);
        } else {
            samples.push_back(1e-3 * milliseconds / passes);
        }
    }
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

static void line(const char* ladder, const char* data, const char* function, uint64_t n, uint64_t bytes, double seconds)
{
    printf("%s,%s,%s,%llu,%llu,%.6e\n", ladder, data, function, (unsigned long long)n, (unsigned long long)bytes, seconds);
    fflush(stdout);
}

// Calls a function of the library twice, as it wants it: to learn how much memory it needs, and with that memory.
template <class Call>
static double timed(Call call)
{
    size_t bytes = 0;
    void* memory = nullptr;
    check(call(memory, bytes), "size");
    check(cudaMalloc(&memory, bytes), "memory");
    const double seconds = median([&] { return call(memory, bytes); });
    cudaFree(memory);
    return seconds;
}

struct Kept {
    __host__ __device__ bool operator()(uint32_t value) const { return value < 0x80000000u; }
};

int main()
{
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0), "device");
    int driver;
    cudaDriverGetVersion(&driver);
    printf("# %s, CUB %d.%d.%d, driver's CUDA %d.%d\n", device.name, CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION,
        driver / 1000, driver % 1000 / 10);
    printf("ladder,data,function,n,bytes,seconds\n");
    const uint32_t scanned = 1u << 26, added = 1u << 27, appended = 1u << 25;
    const size_t counted = 1u << 29;
    std::vector<uint32_t> words(added);
    uint32_t state = 1;
    for (uint32_t& word : words) {
        state = state * 1664525u + 1013904223u;
        word = state ^ state >> 15;
    }
    uint32_t* const in = on_device(words);
    uint32_t* out;
    check(cudaMalloc(&out, 4ull * scanned), "memory");
    uint32_t found[2];

    double seconds = timed([&](void* memory, size_t& bytes) { return cub::DeviceReduce::Sum(memory, bytes, in, out, (int)added); });
    check(cudaMemcpy(found, out, 4, cudaMemcpyDeviceToHost), "copy");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < added; i++) {
        sum += words[i];
    }
    expect(found[0] == sum, "sum");
    line("reduction", "random numbers", "DeviceReduce::Sum", added, 4ull * added, seconds);

    seconds = timed([&](void* memory, size_t& bytes) { return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, (int)scanned); });
    check(cudaMemcpy(found, out + scanned - 1, 4, cudaMemcpyDeviceToHost), "copy");
    sum = 0;
    for (uint32_t i = 0; i < scanned; i++) {
        sum += words[i];
    }
    expect(found[0] == sum, "scan");
    line("scan", "random numbers", "DeviceScan::InclusiveSum", scanned, 8ull * scanned, seconds);

    seconds = median([&] { return cudaMemcpyAsync(out, in, 4ull * scanned, cudaMemcpyDeviceToDevice); });
    line("scan", "random numbers", "cudaMemcpyAsync", scanned, 8ull * scanned, seconds);

    uint32_t* const count = out + scanned - 1;
    seconds = timed([&](void* memory, size_t& bytes) { return cub::DeviceSelect::If(memory, bytes, in, out, count, (int)appended, Kept{}); });
    check(cudaMemcpy(found, count, 4, cudaMemcpyDeviceToHost), "copy");
    const uint32_t kept = (uint32_t)std::count_if(words.begin(), words.begin() + appended, Kept{});
    expect(found[0] == kept, "select");
    line("append", "random numbers", "DeviceSelect::If", appended, 4ull * appended + 4ull * kept, seconds);

    const char* const kinds[] = {"uniform", "skewed", "constant"};
    for (int kind = 0; kind < 3; kind++) {
        std::vector<uint8_t> values(counted);
        std::vector<uint32_t> expected(256);
        for (size_t i = 0; i < counted; i++) {
            const uint32_t word = words[i % words.size()] * (uint32_t)(1 + 2 * (i / words.size()));
            const uint32_t value = word >> 24;
            // As in the ladder: of skewed values half are 0, a quarter 1, and so on.
            const uint32_t zeros = value == 0 ? 8 : (uint32_t)__builtin_ctz(value);
            values[i] = (uint8_t)(kind == 0 ? value : kind == 1 ? zeros : 42);
            expected[values[i]]++;
        }
        uint8_t* const bytes_in = on_device(values);
        uint32_t* const bins = out;
        seconds = timed([&](void* memory, size_t& bytes) {
            return cub::DeviceHistogram::HistogramEven(memory, bytes, bytes_in, bins, 257, 0, 256, (int)counted);
        });
        std::vector<uint32_t> counts(256);
        check(cudaMemcpy(counts.data(), bins, 1024, cudaMemcpyDeviceToHost), "copy");
        expect(counts == expected, "histogram");
        line("histogram", kinds[kind], "DeviceHistogram::HistogramEven", counted, counted, seconds);
        cudaFree(bytes_in);
    }
}
