// SPDX-License-Identifier: MIT OR Apache-2.0
// Tiles of Q, K and V in shared memory, which the copy engine fills, and their barriers.

// Rows of D elements. A box has 64 columns: 128 bytes are the widest that the copy engine permutes.
template <int D, int ROWS> struct Tile {
    unsigned short box[D / 64][ROWS][64];
};

template <int D> struct Tiles {
    Tile<D, QUERIES> q;
    Tile<D, KEYS> k[STAGES], v[STAGES];
};

// A tile is `full` when its bytes have arrived, and `empty` when all warps that multiply have read it.
struct Barriers {
    Barrier full_q, empty_q, full_k[STAGES], empty_k[STAGES], full_v[STAGES], empty_v[STAGES];

    __device__ __forceinline__ void begin_all(int warps)
    {
        begin(&full_q, 1);
        begin(&empty_q, warps);
        for (int stage = 0; stage < STAGES; stage++) {
            begin(&full_k[stage], 1);
            begin(&empty_k[stage], warps);
            begin(&full_v[stage], 1);
            begin(&empty_v[stage], warps);
        }
        show_barriers();
    }
};

// Begins to copy rows of a matrix from `row` on.
template <int D, int ROWS> __device__ __forceinline__ void copy_rows(Tile<D, ROWS> &to, const TensorMap &from, int row, Barrier *full)
{
    announce(full, sizeof(to));
    for (int i = 0; i < D / 64; i++) {
        copy_box(to.box[i], from, i * 64, row, full);
    }
}

// Says that this warp has read a tile.
__device__ __forceinline__ void release(Barrier *empty)
{
    __syncwarp(); // all lanes have
    arrive(empty, threadIdx.x % 32 == 0);
}

// Begins score = Q Kᵀ for 64 queries from `row` on.
template <int D>
__device__ __forceinline__ void begin_scores(float (&score)[KEYS / 8][4], const Tile<D, QUERIES> &q, int row, const Tile<D, KEYS> &k)
{
    begin_products();
#pragma unroll
    for (int i = 0; i < D / 16; i++) { // 32 bytes of a row
        const auto of_q = descriptor(q.box[i / 4][row], 16), of_k = descriptor(k.box[i / 4], 16);
        multiply(score, shifted(of_q, i % 4 * 32), shifted(of_k, i % 4 * 32), i > 0);
    }
    end_products();
}

// Begins to add to each of 64 rows the sum of the rows of V times their weights.
template <int D>
__device__ __forceinline__ void begin_sums(float (&out)[D / 8][4], const unsigned (&weight)[KEYS / 16][4], const Tile<D, KEYS> &v)
{
    begin_products();
#pragma unroll
    for (int i = 0; i < KEYS / 16; i++) { // 16 rows of 128 bytes
        multiply(out, weight[i], shifted(descriptor(v.box, sizeof(v.box[0])), i * 16 * 128));
    }
    end_products();
}
