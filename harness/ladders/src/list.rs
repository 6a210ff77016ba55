//! The list of the ladders.

use ladder::Ladder;

/// Every ladder of the workbook, in the order in which it is read.
pub const LADDERS: &[&'static dyn Ladder] = &[
    &nbody_ladder::LADDER,
    &cpu_ladder::LADDER,
    &access_ladder::LADDER,
    &transpose_ladder::LADDER,
    &fusion_ladder::LADDER,
    &divergence_ladder::LADDER,
    &sparse_ladder::LADDER,
    &registers_ladder::LADDER,
    &templates_ladder::LADDER,
    &reduction_ladder::LADDER,
    &histogram_ladder::LADDER,
    &clusters_ladder::LADDER,
    &scan_ladder::LADDER,
    &append_ladder::LADDER,
    &queue_ladder::LADDER,
    &synchronisation_ladder::LADDER,
    &groups_ladder::LADDER,
    &overlap_ladder::LADDER,
    &filter_ladder::LADDER,
    &resample_ladder::LADDER,
    &separable_ladder::LADDER,
    &arithmetic_ladder::LADDER,
    &transfers_ladder::LADDER,
    &occupancy_ladder::LADDER,
    &barnes_hut_ladder::LADDER,
    &barnes_hut_cpu_ladder::LADDER,
    &gemm_ladder::LADDER,
    &softmax_ladder::LADDER,
    &norms_ladder::LADDER,
    &decode_ladder::LADDER,
    &attention_ladder::LADDER,
    &context_ladder::LADDER,
    &sort_ladder::LADDER,
    &spmv_ladder::LADDER,
    &stencil_ladder::LADDER,
];

/// How many of them a bare run climbs: those that the book begins with.
pub const CLIMBED_BY_DEFAULT: usize = 2;
