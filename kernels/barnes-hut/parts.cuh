// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernels `begin`, `regions`, `mark`, `enumerate` and `pack`: which parts of its tree a GPU sends to the others, the locally essential tree of
// J. Salmon, "Parallel hierarchical N-body methods", thesis, Caltech (1991). Each GPU divides its bodies into regions. What a region opens
// of another's tree, by the test of the walk, is sent there, and no group in it opens more.

#define REGIONS (GROUPS + 2) // of the counters: how many regions there are
#define WITHIN 256 // threads of a block, but for `mark`
#define NOT_SENT 0xffffffff // what a node consists of is not sent
#define OPENED 0xfffffffe // it is; then the number of its first child or body among those that are
#define ROUNDED 1e-6f // how much wider than its bodies a region is, of their coordinates: more than rounding makes of the box of a group
#define WIDER 1.001f // how much farther spread a node is taken to be

// A box around successive groups of bodies, and the weakest of the accelerations that they had. A place without one has no bodies.
struct __align__(16) Region {
    Target target;
    int bodies;
};

// What a GPU says of the part of its tree that it sends, and of its regions.
struct __align__(16) Part {
    unsigned int nodes, bodies, regions; // how many
    unsigned int missing; // lanes that opened nodes of others whose children were not sent
};

__device__ __forceinline__ int count_nodes(const int *totals)
{
    int nodes = 0;
    for (int level = 0; level < DEPTHS; level++) {
        nodes += totals[level];
    }
    return nodes;
}

// Zeros for the counters of the sort. The cube of the keys is known: it is around all bodies, so that cells end where shares do.
extern "C" __global__ void __launch_bounds__(WITHIN) begin(int n, unsigned int *counter)
{
    const int counters = STATES + PASSES * ((n + SORT_TILE - 1) / SORT_TILE) * DIGITS;
    for (int c = threadIdx.x + blockIdx.x * WITHIN; c < counters; c += WITHIN * gridDim.x) {
        counter[c] = 0;
    }
}

// Bodies that may become a region. The pull says how far out they are, as in `divide`; that for the test is the weakest that is known.
struct Piece {
    Around around;
    float weakest;
    int bodies;
};

// That of another lane.
__device__ __forceinline__ Piece of_lane(const Piece &own, int lane)
{
    Piece its;
    its.around.low.x = __shfl_sync(ALL, own.around.low.x, lane);
    its.around.low.y = __shfl_sync(ALL, own.around.low.y, lane);
    its.around.low.z = __shfl_sync(ALL, own.around.low.z, lane);
    its.around.high.x = __shfl_sync(ALL, own.around.high.x, lane);
    its.around.high.y = __shfl_sync(ALL, own.around.high.y, lane);
    its.around.high.z = __shfl_sync(ALL, own.around.high.z, lane);
    its.around.pull = __shfl_sync(ALL, own.around.pull, lane);
    its.weakest = __shfl_sync(ALL, own.weakest, lane);
    its.bodies = __shfl_sync(ALL, own.bodies, lane);
    return its;
}

__device__ __forceinline__ Piece both(const Piece &a, const Piece &b)
{
    Piece all;
    all.around.low = make_float3(fminf(a.around.low.x, b.around.low.x), fminf(a.around.low.y, b.around.low.y), fminf(a.around.low.z, b.around.low.z));
    all.around.high = make_float3(fmaxf(a.around.high.x, b.around.high.x), fmaxf(a.around.high.y, b.around.high.y), fmaxf(a.around.high.z, b.around.high.z));
    all.around.pull = fminf(a.around.pull, b.around.pull);
    all.weakest = fminf(a.weakest, b.weakest);
    all.bodies = a.bodies + b.bodies;
    return all;
}

// Half the side of a region along an axis.
__device__ __forceinline__ float half_of(float low, float high)
{
    return (high - low) * 0.5f + ROUNDED * fmaxf(fabsf(low), fabsf(high));
}

// Adds a region, if it has bodies and there is a place for it.
__device__ __forceinline__ void add_region(const Piece &it, int places, unsigned int *counter, Region *region)
{
    if (it.bodies == 0 || threadIdx.x % WARP > 0) {
        return;
    }
    const unsigned int place = atomicAdd(&counter[REGIONS], 1); // their order differs from run to run, but nothing depends on it
    if (place < places) {
        const float3 low = it.around.low, high = it.around.high;
        Region all;
        all.target.middle = make_float3((low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f, (low.z + high.z) * 0.5f);
        all.target.half = make_float3(half_of(low.x, high.x), half_of(low.y, high.y), half_of(low.z, high.z));
        all.target.pull = it.weakest;
        all.bodies = it.bodies;
        region[place] = all;
    }
}

// Divides this GPU's bodies into regions, of which each is narrow: a warp joins successive groups for as long as they are. Wide ones
// of far bodies would have the core of the cluster in their boxes, and open all of it. There are so many `runs` of warps of bodies, a
// warp for each. Nothing is sent so far.
extern "C" __global__ void __launch_bounds__(WITHIN) regions(int n, int gpu, int places, int runs, float epssq, const float4 *body,
    const float *strength, const Node *whole, const int *totals, unsigned int *counter, unsigned int *sent, Part *parts, Region *region)
{
    const int nodes = count_nodes(totals);
    for (int k = threadIdx.x + blockIdx.x * WITHIN; k < nodes; k += WITHIN * gridDim.x) {
        sent[k] = NOT_SENT;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        parts[gpu].nodes = 1; // the root
        parts[gpu].bodies = 0;
    }
    const int lane = threadIdx.x % WARP;
    const long long run = min((int)(threadIdx.x + blockIdx.x * WITHIN) / WARP, runs), warps = (n + WARP - 1) / WARP;
    const int end = (int)(min((int)run + 1, runs) * warps / runs) * WARP;
    const float mass = whole->mass;
    Piece all = {};
    for (int first = (int)(run * warps / runs) * WARP; first < end; first += WARP) {
        const int i = min(first + lane, n - 1);
        const float4 p = body[i];
        const float x = p.x - whole->x, y = p.y - whole->y, z = p.z - whole->z, known = strength[i];
        const float pull = known > 0.0f ? known : mass / (x * x + (y * y + (z * z + epssq)));
        Piece own = {{make_float3(p.x, p.y, p.z), make_float3(p.x, p.y, p.z), pull}, known, first + lane < n};
        Piece group = own;
        int size = 1;
        bool together = true;
#pragma unroll
        for (int step = 1; step < WARP; step *= 2) { // as in `divide`
            own.around = twice(own.around, step);
            own.weakest = fminf(own.weakest, __shfl_xor_sync(ALL, own.weakest, step));
            own.bodies += __shfl_xor_sync(ALL, own.bodies, step);
            const bool other = __shfl_xor_sync(ALL, together, step);
            together = together && other && narrow(own.around, mass);
            size = together ? 2 * step : size;
            group = together ? own : group;
        }
        for (unsigned int left = __ballot_sync(ALL, lane % size == 0); left != 0; left &= left - 1) {
            const Piece next = of_lane(group, __ffs(left) - 1), joined = both(all, next);
            if (all.bodies > 0 && narrow(joined.around, mass)) {
                all = joined;
            } else {
                add_region(all, places, counter, region + (size_t)gpu * places);
                all = next;
            }
        }
    }
    add_region(all, places, counter, region + (size_t)gpu * places);
}

// Marks the nodes of this GPU's tree that regions of the others open, a warp each.
extern "C" __global__ void __launch_bounds__(WARP) mark(int gpu, int places, float opening, float epssq, float alpha, float share,
    const Region *region, const Node *node, unsigned int *sent)
{
    __shared__ unsigned int stack[STACK];
    const Region it = region[blockIdx.x];
    if (blockIdx.x / places == gpu || it.bodies == 0) {
        return;
    }
    const int lane = threadIdx.x;
    const float more = alpha * it.target.pull, one = share * more;
    int todo = 1;
    if (lane == 0) {
        stack[0] = 0; // the root
    }
    __syncwarp();
    while (todo > 0) {
        const int some = next_of(todo);
        todo -= some;
        int first = 0, count = 0; // of a cell that is opened
        if (lane < some) {
            const unsigned int k = stack[todo + lane];
            const float4 centre = *(const float4 *)&node[k];
            if (what_is(it.target, centre, WIDER * node[k].spread, one, more, opening, epssq) == IS_OPEN) {
                atomicMin(&sent[k], OPENED);
                first = node[k].first;
                count = node[k].count < LEAF ? node[k].count : 0;
            }
        }
        __syncwarp(); // all have read the stack
        todo = push(stack, todo, first, count);
        __syncwarp(); // it is written
    }
}

// Numbers what the opened nodes consist of, children and bodies, and counts both. Takes the regions away: those of the next time step
// may be fewer.
extern "C" __global__ void __launch_bounds__(WITHIN) enumerate(int gpu, int places, const int *totals, const Node *node,
    const unsigned int *counter, unsigned int *sent, Part *parts, Region *region)
{
    const int found = min((int)counter[REGIONS], places);
    for (int r = threadIdx.x + blockIdx.x * WITHIN; r < found; r += WITHIN * gridDim.x) {
        region[(size_t)gpu * places + r].bodies = 0;
    }
    __shared__ unsigned int first_child, first_body; // of the tile
    const int nodes = count_nodes(totals);
    for (int tile = blockIdx.x * WITHIN; tile < nodes; tile += WITHIN * gridDim.x) {
        const int k = tile + threadIdx.x;
        const bool is_opened = k < nodes && sent[k] == OPENED;
        const int count = is_opened ? node[k].count : 0;
        int children, bodies;
        const int children_before = before_in_block<WITHIN / WARP>(count < LEAF ? count : 0, &children);
        const int bodies_before = before_in_block<WITHIN / WARP>(count < LEAF ? 0 : count - LEAF, &bodies);
        if (threadIdx.x == 0) {
            first_child = atomicAdd(&parts[gpu].nodes, children); // the order of tiles differs from run to run, but nothing depends on it
            first_body = atomicAdd(&parts[gpu].bodies, bodies);
        }
        __syncthreads(); // the tile's first numbers are there
        if (is_opened) {
            sent[k] = count < LEAF ? first_child + children_before : first_body + bodies_before;
        }
        __syncthreads(); // they have been read
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        parts[gpu].regions = counter[REGIONS];
    }
}

// Copies what is sent to this GPU's section: the root, and the children and bodies of opened nodes. Numbers are those that it has on all
// GPUs, where nodes begin after `room`, and bodies after `body_room`.
extern "C" __global__ void __launch_bounds__(WITHIN) pack(int room, int body_room, int own, int section, int body_section,
    const int *totals, const unsigned int *sent, Node *node, float4 *seconds, float4 *body)
{
    const int to = room + own * section, body_to = body_room + own * body_section, nodes = count_nodes(totals);
    for (int k = threadIdx.x + blockIdx.x * WITHIN; k < nodes; k += WITHIN * gridDim.x) {
        Node it = node[k];
        const unsigned int number = sent[k];
        const bool is_leaf = it.count > LEAF;
        if (is_leaf && number != NOT_SENT) {
            for (int b = 0; b < it.count - LEAF; b++) {
                body[body_to + number + b] = body[it.first + b];
            }
        }
        const unsigned int siblings = k == 0 ? 0 : sent[it.parent];
        if (siblings != NOT_SENT) {
            const int at = to + siblings + (k == 0 ? 0 : k - node[it.parent].first);
            it.first = (is_leaf ? body_to : to) + number;
            it.count = number == NOT_SENT ? 0 : it.count; // nobody opens it
            node[at] = it;
            seconds[2 * at] = seconds[2 * k];
            seconds[2 * at + 1] = seconds[2 * k + 1];
        }
    }
}
