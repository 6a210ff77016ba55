// SPDX-License-Identifier: MIT OR Apache-2.0
// A warp walks the tree for a group of bodies; nodes pull as one mass, or with their second moments.

#define IS_MASS 0 // a node pulls as one mass
#define IS_MORE 1 // with its second moments
#define IS_OPEN 2 // its children or bodies do

// What a node is to a group. The error without second moments is about spread / distance^4, with them spread^(3/2) / (mass^(1/2)
// distance^5); of the first, `one` is accepted, of the second, `more`. In the first time step nothing is known yet: then its size
// counts, twice the root mean square distance of its bodies from their centre; `opening` is 1/θ².
__device__ __forceinline__ int what_is(
    const Target &target, float4 centre, float spread, float one, float more, float opening, float epssq)
{
    const float dsq = distance_squared(target, centre), softened = dsq + epssq;
    if (spread <= one * softened * softened) {
        return IS_MASS;
    }
    if (more > 0.0f) {
        const bool far = spread * sqrtf(spread) <= more * sqrtf(centre.w * softened) * softened * softened;
        return far && spread <= centre.w * softened ? IS_MORE : IS_OPEN; // nor farther spread than away
    }
    return 4.0f * spread * opening > centre.w * dsq ? IS_OPEN : IS_MORE;
}

// Adds what 32 sources do to the bodies of a group, of which each lane has one. If they are few, lanes with the same body share them.
__device__ __forceinline__ void pull_all(float4 p, const float4 *source, int size, float epssq, float3 *a)
{
    if (size == WARP) {
#pragma unroll
        for (int s = 0; s < WARP; s++) {
            pull(p, source[s], epssq, a);
        }
    } else {
#pragma unroll 4
        for (int s = threadIdx.x % WARP / size; s < WARP; s += WARP / size) {
            pull(p, source[s], epssq, a);
        }
    }
}

// The acceleration of this lane's body, by the nodes on the stack, `todo` of them, and what they consist of; `cut` becomes true where a
// node is opened that has nothing in it.
__device__ __forceinline__ float3 walk_from(
    int todo, Group group, float4 p, float pull_before, float opening, float epssq, float alpha, float share,
    const float4 *body, const Node *node, const float4 *seconds, Lists &own, Term &term, bool &cut)
{
    const int lane = threadIdx.x % WARP;
    const unsigned int earlier = (1u << lane) - 1; // lanes
    const Target target = target_of(p, pull_before);
    const float more = alpha * target.pull, one = share * more;
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    int sources = 0, terms = 0;
    __syncwarp(); // the stack is written
    while (todo > 0) {
        const int some = next_of(todo);
        todo -= some;
        const unsigned int it = lane < some ? own.todo[todo + lane] : 0;
        const float4 *data = it >= BODY ? &body[it - BODY] : (const float4 *)&node[it];
        const float4 centre = data[0];
        int first = 0, count = 0, kind = IS_MASS; // of what is opened; what it is
        float spread = 0.0f;
        if (it < BODY) {
            const float4 rest = data[1];
            spread = rest.x;
            kind = what_is(target, centre, spread, one, more, opening, epssq);
            if (lane < some && kind == IS_OPEN) {
                first = __float_as_int(rest.y);
                count = __float_as_int(rest.z);
                cut = cut || count == 0;
            }
        }
        const bool pulls = lane < some && kind == IS_MASS, pulls_more = lane < some && kind == IS_MORE;
        const unsigned int pulling_more = __ballot_sync(ALL, pulls_more);
        if (pulls_more) {
            const int at = terms + __popc(pulling_more & earlier);
            const float4 rest = seconds[2 * it + 1];
            term.centre[at] = centre;
            term.some[at] = seconds[2 * it];
            term.rest[at] = make_float4(rest.x, rest.y, spread, 0.0f);
        }
        terms += __popc(pulling_more);
        const unsigned int pulling = __ballot_sync(ALL, pulls);
        if (pulls) {
            own.source[sources + __popc(pulling & earlier)] = centre;
        }
        sources += __popc(pulling);
        __syncwarp(); // all have read the stack
        todo = push(own.todo, todo, first, count);
        __syncwarp(); // sources and stack are written
        if (sources >= WARP) {
            sources -= WARP;
            pull_all(p, &own.source[sources], group.size, epssq, &a);
            __syncwarp(); // they have been read
        }
        if (terms >= WARP) {
            terms -= WARP;
            pull_all_second(p, term, terms, group.size, epssq, &a);
            __syncwarp(); // they have been read
        }
    }
    const float4 nothing = make_float4(0.0f, 0.0f, 0.0f, 0.0f); // pulls at nobody
    if (lane >= sources) {
        own.source[lane] = nothing;
    }
    if (lane >= terms) {
        term.centre[lane] = term.some[lane] = term.rest[lane] = nothing;
    }
    __syncwarp(); // the last of both are complete
    pull_all(p, own.source, group.size, epssq, &a);
    pull_all_second(p, term, 0, group.size, epssq, &a);
    for (int other = group.size; other < WARP; other *= 2) { // lanes with the same body
        a.x += __shfl_xor_sync(ALL, a.x, other);
        a.y += __shfl_xor_sync(ALL, a.y, other);
        a.z += __shfl_xor_sync(ALL, a.z, other);
    }
    __syncwarp(); // the lists may be used again
    return a;
}

// The same by one tree.
__device__ __forceinline__ float3 walk(
    Group group, float4 p, float pull_before, float opening, float epssq, float alpha, float share,
    const float4 *body, const Node *node, const float4 *seconds, Lists &own, Term &term)
{
    if (threadIdx.x % WARP == 0) {
        own.todo[0] = 0; // the root
    }
    bool cut = false; // never
    return walk_from(1, group, p, pull_before, opening, epssq, alpha, share, body, node, seconds, own, term, cut);
}
