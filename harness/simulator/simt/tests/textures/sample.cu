// SPDX-License-Identifier: MIT OR Apache-2.0
// Samples textures and surfaces on a GPU, as a file of cases says (case.rs says what a case is and gives its bytes):
//   nvcc -arch=sm_90 -cudart static -o sample sample.cu && ./sample cases.bin results.bin
// Of a texture's case it writes four words for each sample, of a store's case the array that it left.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

typedef uint32_t Word;

// An identifier, the opcode, the coordinates: %5 to %8 are the sample's words.
#define TEXTURES(X, dtype)                                     \
    X(F1##dtype, "tex.1d.v4." #dtype ".f32", "{%5}")           \
    X(F2##dtype, "tex.2d.v4." #dtype ".f32", "{%5,%6}")        \
    X(F3##dtype, "tex.3d.v4." #dtype ".f32", "{%5,%6,%7,%7}")  \
    X(F4##dtype, "tex.a1d.v4." #dtype ".f32", "{%5,%6}")       \
    X(F5##dtype, "tex.a2d.v4." #dtype ".f32", "{%5,%6,%7,%7}") \
    X(F6##dtype, "tex.cube.v4." #dtype ".f32", "{%5,%6,%7,%7}") \
    X(F7##dtype, "tex.acube.v4." #dtype ".f32", "{%5,%6,%7,%8}") \
    X(S1##dtype, "tex.1d.v4." #dtype ".s32", "{%5}")           \
    X(S2##dtype, "tex.2d.v4." #dtype ".s32", "{%5,%6}")        \
    X(S3##dtype, "tex.3d.v4." #dtype ".s32", "{%5,%6,%7,%7}")  \
    X(S4##dtype, "tex.a1d.v4." #dtype ".s32", "{%5,%6}")       \
    X(S5##dtype, "tex.a2d.v4." #dtype ".s32", "{%5,%6,%7,%7}") \
    X(G1##dtype, "tld4.r.2d.v4." #dtype ".f32", "{%5,%6}")     \
    X(G2##dtype, "tld4.g.2d.v4." #dtype ".f32", "{%5,%6}")     \
    X(G3##dtype, "tld4.b.2d.v4." #dtype ".f32", "{%5,%6}")     \
    X(G4##dtype, "tld4.a.2d.v4." #dtype ".f32", "{%5,%6}")     \
    X(G5##dtype, "tld4.r.a2d.v4." #dtype ".f32", "{%5,%6,%7,%7}") \
    X(G6##dtype, "tld4.r.cube.v4." #dtype ".f32", "{%5,%6,%7,%7}") \
    X(G7##dtype, "tld4.r.acube.v4." #dtype ".f32", "{%5,%6,%7,%8}")
#define LEVELS(X)                                              \
    X(L1, "tex.level.1d.v4.f32.f32", "{%5}], %8; //")          \
    X(L2, "tex.level.2d.v4.f32.f32", "{%5,%6}], %8; //")       \
    X(L3, "tex.grad.2d.v4.f32.f32", "{%5,%6}], {%7,%8}, {%8,%7}; //")
#define HALVES(X)                                  \
    X(H1, "tex.2d.v4.f16.f32", "{%5,%6}")          \
    X(H2, "tex.1d.v4.f16.s32", "{%5}")
// Other queries of objects make a module that the driver cannot load.
#define QUERIES(X)                                 \
    X(Q1, "txq.width.b32") X(Q2, "txq.height.b32") X(Q3, "txq.depth.b32") \
    X(U1, "suq.width.b32") X(U2, "suq.height.b32") X(U3, "suq.depth.b32")
// Surfaces: the coordinates' operands come after those of the data.
#define GEOMETRIES(X, size, data, clamp)                                   \
    X(1d, size, data, clamp, "{%5}") X(2d, size, data, clamp, "{%5,%6}")    \
    X(3d, size, data, clamp, "{%5,%6,%7,%7}") X(a1d, size, data, clamp, "{%5,%6}") \
    X(a2d, size, data, clamp, "{%5,%6,%7,%7}")
#define SIZES(X, clamp)                                                     \
    GEOMETRIES(X, b8, BYTE, clamp) GEOMETRIES(X, b16, HALF, clamp) GEOMETRIES(X, b32, WORD, clamp) \
    GEOMETRIES(X, b64, LONG, clamp) GEOMETRIES(X, v2.b8, BYTE2, clamp) GEOMETRIES(X, v4.b8, BYTE4, clamp) \
    GEOMETRIES(X, v2.b32, WORD2, clamp) GEOMETRIES(X, v4.b32, WORD4, clamp) GEOMETRIES(X, v2.b64, LONG2, clamp)
#define SURFACES(X) SIZES(X, zero) SIZES(X, clamp)
#define FORMATTED(X) X(P1, "sust.p.2d.v4.b32.zero") X(P2, "sust.p.2d.v4.b32.clamp")

#define STRING_(x) #x
#define STRING(x) STRING_(x)
static const char *const NAMES[] = {
#define NAME(id, name, ...) name,
    TEXTURES(NAME, f32) TEXTURES(NAME, s32) TEXTURES(NAME, u32) LEVELS(NAME) HALVES(NAME) QUERIES(NAME) FORMATTED(NAME)
#define LOAD(geometry, size, data, clamp, at) "suld.b." #geometry "." #size "." #clamp,
    SURFACES(LOAD)
#undef LOAD
#define STORE(geometry, size, data, clamp, at) "sust.b." #geometry "." #size "." #clamp,
    SURFACES(STORE)
#undef STORE
};
enum {
#define ID(id, ...) id,
    TEXTURES(ID, f32) TEXTURES(ID, s32) TEXTURES(ID, u32) LEVELS(ID) HALVES(ID) QUERIES(ID) FORMATTED(ID)
    FIRST_LOAD
};

#define COORDINATES "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
__device__ void sample(int op, uint64_t object, const Word *c, Word *o) {
    uint16_t h[4];
    switch (op) {
#define TEX(id, name, at) case id: asm volatile(name " {%0,%1,%2,%3}, [%4, " at "];" \
        : "=r"(o[0]), "=r"(o[1]), "=r"(o[2]), "=r"(o[3]) : "l"(object), COORDINATES); break;
        TEXTURES(TEX, f32) TEXTURES(TEX, s32) TEXTURES(TEX, u32) LEVELS(TEX)
#define TEXH(id, name, at) case id: asm volatile(name " {%0,%1,%2,%3}, [%4, " at "];" \
        : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3]) : "l"(object), COORDINATES); \
        for (int k = 0; k < 4; k++) o[k] = h[k]; break;
        HALVES(TEXH)
#define QUERY(id, name) case id: asm volatile(name " %0, [%1];" : "=r"(o[0]) : "l"(object)); break;
        QUERIES(QUERY)
    }
}

// What a store stores: the words of the coordinates, mixed.
__device__ Word mixed(const Word *c, Word k) {
    Word x = c[0] * 0x9e3779b9u + c[1] * 0x85ebca6bu + c[2] * 0xc2b2ae35u + c[3] + k * 0x27d4eb2fu;
    return (x ^ x >> 15) * 0x2c1b3c6du;
}

__device__ void surface(int op, uint64_t object, const Word *c, Word *o) {
    Word d[4];
    uint16_t h[4];
    uint64_t l[4];
    for (int k = 0; k < 4; k++) d[k] = mixed(c, k), h[k] = (uint16_t)d[k];
    for (int k = 0; k < 2; k++) l[k + 2] = 0, l[k] = (uint64_t)d[2 * k + 1] << 32 | d[2 * k];
    int next = FIRST_LOAD;
    if (op == P1 || op == P2) {
        // Small numbers as well: they show where a format saturates.
        if (c[3] & 1) for (int k = 0; k < 4; k++) d[k] = (Word)((int)d[k] >> (8 + d[k] % 24));
        if (c[3] & 2) for (int k = 0; k < 4; k++) d[k] = __float_as_uint((float)(int)d[k] * 0x1p-31f);
    }
#define FORM(id, name) if (op == id) asm volatile(name " [%4, {%5,%6}], {%0,%1,%2,%3};" \
        :: "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "l"(object), COORDINATES : "memory");
    FORMATTED(FORM)
#define LBYTE "%0" 
#define LHALF "%0"
#define LWORD "%0"
#define LLONG "%0"
#define LBYTE2 "{%0,%1}"
#define LBYTE4 "{%0,%1,%2,%3}"
#define LWORD2 "{%0,%1}"
#define LWORD4 "{%0,%1,%2,%3}"
#define LLONG2 "{%0,%1}"
#define KBYTE "h"
#define KHALF "h"
#define KWORD "r"
#define KLONG "l"
#define KBYTE2 "h"
#define KBYTE4 "h"
#define KWORD2 "r"
#define KWORD4 "r"
#define KLONG2 "l"
#define VBYTE h
#define VHALF h
#define VWORD d
#define VLONG l
#define VBYTE2 h
#define VBYTE4 h
#define VWORD2 d
#define VWORD4 d
#define VLONG2 l
#define LOAD(geometry, size, data, clamp, at) if (op == next++) { for (int k = 0; k < 4; k++) h[k] = 0, d[k] = 0, l[k] = 0; \
        asm volatile("suld.b." #geometry "." #size "." #clamp " " L##data ", [%4, " at "];" \
        : "+" K##data(V##data[0]), "+" K##data(V##data[1]), "+" K##data(V##data[2 & last(V##data)]), "+" K##data(V##data[3 & last(V##data)]) \
        : "l"(object), COORDINATES); put(o, V##data); }
#define last(v) (int)(sizeof(v) / sizeof(v[0]) - 1)
    struct Put {
        __device__ void operator()(Word *o, const uint16_t (&v)[4]) { for (int k = 0; k < 4; k++) o[k] = v[k]; }
        __device__ void operator()(Word *o, const Word (&v)[4]) { for (int k = 0; k < 4; k++) o[k] = v[k]; }
        __device__ void operator()(Word *o, const uint64_t (&v)[4]) { for (int k = 0; k < 4; k++) o[k] = (Word)(v[k / 2] >> 32 * (k % 2)); }
    } put;
    SURFACES(LOAD)
#define STORE(geometry, size, data, clamp, at) if (op == next++) \
        asm volatile("sust.b." #geometry "." #size "." #clamp " [%4, " at "], " L##data ";" \
        :: K##data(V##data[0]), K##data(V##data[1]), K##data(V##data[2 & last(V##data)]), K##data(V##data[3 & last(V##data)]), \
        "l"(object), COORDINATES : "memory");
    SURFACES(STORE)
}

__global__ void samples(int op, uint64_t object, const Word *coordinates, Word *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Word o[4] = {0, 0, 0, 0};
    sample(op, object, coordinates + 4 * i, o);
    for (int k = 0; k < 4; k++) out[4 * i + k] = o[k];
}

// One thread: stores come in order.
__global__ void accesses(int op, uint64_t object, const Word *coordinates, Word *out, int n) {
    for (int i = 0; i < n; i++) {
        Word o[4] = {0, 0, 0, 0};
        surface(op, object, coordinates + 4 * i, o);
        for (int k = 0; k < 4; k++) out[4 * i + k] = o[k];
    }
}

// The first error of a case: what cannot be made is a result as well.
static bool failed;
static void check(cudaError_t error, int number, const char *what, const char *call) {
    if (error == cudaSuccess || failed) return;
    fprintf(stderr, "case %d, %s: %s: %.40s\n", number, what, cudaGetErrorString(error), call);
    failed = true;
}
#define CHECK(call) check(call, number, what, #call)

enum Geometry { ROW, PLANE, SPACE, ROWS, PLANES, CUBE, CUBES, LINEAR, PITCH };
struct Case {
    char name[32];
    Word geometry, width, height, depth, kind, bits, components, filter, address, normalised, as_float, srgb, seamless;
    float border[4];
    Word samples, texel_bytes;
};

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: sample CASES RESULTS\n"), 1;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out) return fprintf(stderr, "cannot open the files\n"), 1;
    cudaDeviceProp properties;
    int driver = 0, runtime = 0;
    int number = 0;
    const char *what = "the device";
    CHECK(cudaGetDeviceProperties(&properties, 0));
    cudaDriverGetVersion(&driver), cudaRuntimeGetVersion(&runtime);
    printf("%s, driver API %d, runtime %d\n", properties.name, driver, runtime);
    Case c;
    for (; fread(&c, sizeof c, 1, in) == 1; number++) {
        what = c.name;
        failed = false;
        std::vector<char> texels(c.texel_bytes);
        std::vector<Word> coordinates(4 * c.samples), results(4 * c.samples);
        if (fread(texels.data(), 1, c.texel_bytes, in) != c.texel_bytes) return fprintf(stderr, "short file\n"), 1;
        if (fread(coordinates.data(), 4, 4 * c.samples, in) != 4 * c.samples) return fprintf(stderr, "short file\n"), 1;
        int op = 0, count = sizeof NAMES / sizeof *NAMES;
        while (op < count && strcmp(NAMES[op], c.name)) op++;
        if (op == count) { fprintf(stderr, "unknown opcode %s\n", c.name); return 1; }
        bool stores = !strncmp(c.name, "sust", 4), is_surface = c.name[0] == 's';
        Geometry g = (Geometry)c.geometry;
        int each[4];
        for (Word k = 0; k < 4; k++) each[k] = k < c.components ? c.bits : 0;
        cudaChannelFormatKind kinds[] = {cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat};
        cudaChannelFormatDesc format = cudaCreateChannelDesc(each[0], each[1], each[2], each[3], kinds[c.kind]);
        size_t texel = c.components * c.bits / 8, row = c.width * texel;
        cudaResourceDesc resource = {};
        cudaArray_t array = nullptr;
        void *linear = nullptr;
        cudaMemcpy3DParms copy = {};
        if (g == LINEAR || g == PITCH) {
            size_t pitch = g == PITCH ? (row + 511) / 512 * 512 : row;
            CHECK(cudaMalloc(&linear, pitch * (g == PITCH ? c.height : 1)));
            CHECK(cudaMemcpy2D(linear, pitch, texels.data(), row, row, g == PITCH ? c.height : 1, cudaMemcpyHostToDevice));
            if (g == LINEAR) {
                resource.resType = cudaResourceTypeLinear;
                resource.res.linear = {linear, format, row};
            } else {
                resource.resType = cudaResourceTypePitch2D;
                resource.res.pitch2D = {linear, format, c.width, c.height, pitch};
            }
        } else {
            bool layered = g == ROWS || g == PLANES || g == CUBES, cube = g == CUBE || g == CUBES;
            unsigned flags = (layered ? cudaArrayLayered : 0) | (cube ? cudaArrayCubemap : 0)
                | (is_surface ? cudaArraySurfaceLoadStore : 0) | (g == PLANE && !strncmp(c.name, "tld4", 4) ? cudaArrayTextureGather : 0);
            bool flat = g == ROW || g == ROWS;
            CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(c.width, flat ? 0 : c.height, g == ROW || g == PLANE ? 0 : c.depth), flags));
            copy.srcPtr = make_cudaPitchedPtr(texels.data(), row, c.width, c.height);
            copy.dstArray = array;
            copy.extent = make_cudaExtent(c.width, c.height, c.depth);
            copy.kind = cudaMemcpyHostToDevice;
            CHECK(cudaMemcpy3D(&copy));
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = array;
        }
        Word *device_coordinates, *device_results;
        CHECK(cudaMalloc(&device_coordinates, 16 * c.samples + 16));
        CHECK(cudaMalloc(&device_results, 16 * c.samples + 16));
        CHECK(cudaMemcpy(device_coordinates, coordinates.data(), 16 * c.samples, cudaMemcpyHostToDevice));
        if (is_surface) {
            cudaSurfaceObject_t object;
            CHECK(cudaCreateSurfaceObject(&object, &resource));
            if (failed)
                ;
            else if (!strncmp(c.name, "suq", 3))
                samples<<<1, 128>>>(op, object, device_coordinates, device_results, c.samples);
            else
                accesses<<<1, 1>>>(op, object, device_coordinates, device_results, c.samples);
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaDestroySurfaceObject(object));
        } else {
            cudaTextureDesc sampler = {};
            for (int k = 0; k < 3; k++) sampler.addressMode[k] = (cudaTextureAddressMode)c.address;
            sampler.filterMode = c.filter ? cudaFilterModeLinear : cudaFilterModePoint;
            sampler.readMode = c.as_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
            sampler.normalizedCoords = c.normalised;
            sampler.sRGB = c.srgb;
            sampler.seamlessCubemap = c.seamless;
            memcpy(sampler.borderColor, c.border, sizeof c.border);
            cudaTextureObject_t object;
            CHECK(cudaCreateTextureObject(&object, &resource, &sampler, nullptr));
            if (!failed)
                samples<<<(c.samples + 127) / 128, 128>>>(op, object, device_coordinates, device_results, c.samples);
            CHECK(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaDestroyTextureObject(object));
        }
        if (stores) {
            cudaMemcpy3DParms back = {};
            back.srcArray = array;
            back.dstPtr = copy.srcPtr;
            back.extent = copy.extent;
            back.kind = cudaMemcpyDeviceToHost;
            CHECK(cudaMemcpy3D(&back));
            if (failed) memset(texels.data(), 0xee, c.texel_bytes);
            fwrite(texels.data(), 1, c.texel_bytes, out);
        } else {
            CHECK(cudaMemcpy(results.data(), device_results, 16 * c.samples, cudaMemcpyDeviceToHost));
            if (failed) memset(results.data(), 0xee, 16 * c.samples);
            fwrite(results.data(), 4, 4 * c.samples, out);
        }
        cudaFree(device_coordinates), cudaFree(device_results), cudaFree(linear);
        if (array) cudaFreeArray(array);
        if (failed) cudaGetLastError(), cudaDeviceReset();
    }
    printf("%d cases\n", number);
    return fclose(out);
}
