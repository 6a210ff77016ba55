// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that stay functions: recursion, pointers, virtual functions, structures by value.

struct Quad {
    long long sum;
    int parts[3];
    signed char sign;
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = fibonacci(in[i] & 15);
}

// Each level keeps an array over the call.
__device__ __noinline__ int descend(int n, const int *in)
{
    if (n == 0)
        return 0;
    int own[4];
    for (int k = 0; k < 4; k++)
        own[k] = in[n] + k * n;
    const int below = descend(n - 1, in);
    return below + own[below & 3];
}

extern "C" __global__ void frames(int *out, const int *in, int n) { out[threadIdx.x] = descend(n + threadIdx.x % 4, in); }

__device__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }

extern "C" __global__ void mutual(int *out, const int *in, int n) { out[threadIdx.x] = even(in[threadIdx.x] & 31); }

// Lanes come back to the call in its depth and shuffle there.
__device__ __noinline__ int together(int depth, int value)
{
    if (depth == 0)
        return __shfl_xor_sync(0xffffffffu, value, 1);
    return together(depth - 1, value + depth) + 1;
}

extern "C" __global__ void exchanges(int *out, const int *in, int n)
{
    __shared__ int line[64];
    const int t = threadIdx.x;
    line[t] = together(3, t);
    __syncthreads();
    out[t] = line[63 - t];
}

__device__ __noinline__ Quad make(int x, Quad q)
{
    if (x > 100)
        return make(x - 100, q);
    Quad r;
    r.sum = q.sum * 1000000000ll + x;
    for (int k = 0; k < 3; k++)
        r.parts[k] = q.parts[2 - k] + x;
    r.sign = (signed char)-q.sign;
    return r;
}

extern "C" __global__ void structures(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    Quad q = { t + 1, { t, 2 * t, 3 * t }, (signed char)t };
    const Quad r = make(100 * (t % 3) + t + 1, q);
    int *own = out + 8 * t;
    own[0] = (int)r.sum;
    own[1] = (int)(r.sum >> 32);
    for (int k = 0; k < 3; k++)
        own[2 + k] = r.parts[k];
    own[5] = r.sign;
}

typedef int (*Operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int subtract(int a, int b)
{
    __syncwarp(__activemask());
    return a - b;
}
__device__ Operation operations[4] = { add, multiply, subtract, 0 };
__constant__ Operation fixed[2] = { multiply, add };

extern "C" __global__ void pointers(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    out[t] = operations[t % 3](in[t], t) + fixed[t & 1](t, 2);
}

extern "C" __global__ void null_pointer(int *out, const int *in, int n) { out[threadIdx.x] = operations[n](1, 2); }

extern "C" __global__ void wrong_pointer(int *out, const int *in, int n)
{
    out[threadIdx.x] = ((Operation)(size_t)(n + 4096))(1, 2);
}

struct Shape {
    __device__ virtual int area() const { return 0; }
    __device__ virtual int scaled(int by) const { return by * area(); }
};
struct Square : Shape {
    int side;
    __device__ Square(int side) : side(side) {}
    __device__ int area() const { return side * side; }
};
struct Box : Shape {
    int a, b;
    __device__ Box(int a, int b) : a(a), b(b) {}
    __device__ int area() const { return a * b; }
    __device__ int scaled(int by) const { return by + area(); }
};

extern "C" __global__ void virtuals(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    Square square(t);
    Box box(t, 3);
    Shape none;
    const Shape *shapes[3] = { &square, &box, &none };
    out[t] = shapes[in[t] % 3]->scaled(2);
}

// Lane 0 of each warp holds a lock for which the other lanes spin, in a function that a pointer leads to.
__device__ int locked(int *lock, int value)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    const int sum = lock[1] + value;
    lock[1] = sum;
    __threadfence();
    atomicExch(lock, 0);
    return sum;
}
__device__ int plain(int *lock, int value) { return -value; }
typedef int (*Locked)(int *, int);
__device__ Locked ways[2] = { locked, plain };

extern "C" __global__ void locks(int *out, const int *in, int n)
{
    const int t = threadIdx.x;
    const int got = ways[t & 1](out, t);
    if (t & 1)
        out[t + 1] = got;
}
