// SPDX-License-Identifier: MIT OR Apache-2.0
// What the chip's system does for a thread: printf, assert, malloc, new and their ends.

extern "C" __global__ void formats(int *out, const int *in, int n)
{
    const char *name = n ? "hello" : "nobody";
    const int t = threadIdx.x;
    if (t == 0) {
        printf("%d %u %x %lld [%5.2f] [%-8s] %c %% %e %g\n", -n, 3000000000u, 255, 1ll << 40, 3.14159, name, 'A' + n,
               1e-7 * n, 0.5f * n);
        printf("%p %s %5d|%-5d|%05d\n", (void *)4660, (const char *)0, n, n, n);
        out[0] = printf("no arguments\n");
        out[1] = printf("%d %d\n", 1, 2);
    }
}

extern "C" __global__ void order(int *out, const int *in, int n)
{
    if (threadIdx.x % 16 == 0)
        printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0)
        printf("block %d ends\n", blockIdx.x);
}

extern "C" __global__ void flood(int *out, const int *in, int n)
{
    for (int k = 0; k < n; k++)
        printf("%1022d\n", k);
}

template <class T> __device__ void check(T x)
{
    assert(x < 70 && (T)1); //!
}

extern "C" __global__ void asserts(int *out, const int *in, int n)
{
    printf("before %d\n", threadIdx.x);
    check<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

struct Node {
    int value;
    Node *next;
};

extern "C" __global__ void lists(int *out, const int *in, int n)
{
    Node *first = 0;
    for (int k = 0; k < n; k++) {
        Node *node = (Node *)malloc(sizeof(Node));
        if (!node)
            return;
        node->value = k * (threadIdx.x + 1);
        node->next = first;
        first = node;
    }
    int sum = 0;
    while (first) {
        sum += first->value;
        Node *next = first->next;
        free(first);
        first = next;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ int *kept[64];

extern "C" __global__ void keep(int *out, const int *in, int n)
{
    kept[threadIdx.x] = new int[n];
    for (int k = 0; k < n; k++)
        kept[threadIdx.x][k] = k + threadIdx.x;
}

extern "C" __global__ void release(int *out, const int *in, int n)
{
    out[threadIdx.x] = kept[threadIdx.x][n - 1];
    if (threadIdx.x != 5)
        delete[] kept[threadIdx.x];
}

extern "C" __global__ void too_much(int *out, const int *in, int n)
{
    char *first = (char *)malloc(5 << 20), *second = (char *)malloc(5 << 20);
    out[0] = (first != 0) + 2 * (second != 0);
    free(first);
    free(second);
}

extern "C" __global__ void twice(int *out, const int *in, int n)
{
    void *p = malloc(n);
    free(p);
    out[0] = 1;
    free(p); //!
}

extern "C" __global__ void inside(int *out, const int *in, int n)
{
    char *p = (char *)malloc(n);
    free(p + 8); //!
}

extern "C" __global__ void after(int *out, const int *in, int n)
{
    int *p = (int *)malloc(n);
    p[0] = 7;
    free(p);
    out[0] = ((volatile int *)p)[0]; //!
}

extern "C" __global__ void past_the_end(int *out, const int *in, int n)
{
    int *p = (int *)malloc(n);
    ((volatile int *)p)[threadIdx.x] = 1; //!
    free(p);
}
