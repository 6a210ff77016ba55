//! The ladder `nbody`: all-pairs n-body on a GPU, from one thread to tensor cores and many GPUs.
//!
//! Its problem is the crate `nbody` in `problem/`; its kernels are in `kernels/nbody/`.

use ladder::{Problem, Steps};
use nbody::{Nbody, Step};

/// The ladder.
pub static LADDER: Steps<Nbody> = Steps {
    open: |request| Ok(Nbody::open(request)?.with_short_launches(&SHORT_LAUNCHES)),
    ..Steps::of("nbody", STEPS)
};

/// Steps whose idea shows only in launches that are short, and those that they come from.
const SHORT_LAUNCHES: [&str; 5] =
    ["03-soa", "04-constant-params", "13-lanes", "13x-one-launch", "13x-graph"];

/// The steps, in the order in which a reader climbs them.
pub const STEPS: &[Step] = &[
    nbody_01_one_thread::STEP,
    nbody_02_n_threads::STEP,
    nbody_03_soa::STEP,
    nbody_04_constant_params::STEP,
    nbody_05_rsqrt::STEP,
    nbody_05x_two_loops::STEP,
    nbody_05x_rust::STEP,
    nbody_06_shared_blocking::STEP,
    nbody_07_unroll::STEP,
    nbody_08_no_if::STEP,
    nbody_09_fma_order::STEP,
    nbody_09x_unroll_128::STEP,
    nbody_10_fast_math::STEP,
    nbody_11_float4::STEP,
    nbody_11x_async_copies::STEP,
    nbody_11x_uniform_loads::STEP,
    nbody_12_bodies_per_thread::STEP,
    nbody_12x_register_cap::STEP,
    nbody_13_lanes::STEP,
    nbody_13x_double::STEP,
    nbody_13x_compensated::STEP,
    nbody_13x_one_launch::STEP,
    nbody_13x_graph::STEP,
    nbody_14_pairs::STEP,
    nbody_14x_fixed_point::STEP,
    nbody_15_tiles::STEP,
    nbody_16_tensor_sums::STEP,
    nbody_17_tensor_distances::STEP,
    nbody_18_longer_sums::STEP,
    nbody_18x_fixed_point::STEP,
    nbody_19_bodies_divided::STEP,
    nbody_20_pairs_divided::STEP,
    nbody_21_tensor_divided::STEP,
];
