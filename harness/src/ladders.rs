//! The ladders and their steps: the one list that names them. A step is added here, in one line,
//! and to `Cargo.toml` in another.

use ladder::Ladder;

/// Every ladder of the workbook.
pub const LADDERS: &[Ladder] = &[NBODY, CPU];

/// The tutorial's kernels.
const NBODY: Ladder = Ladder {
    name: "nbody",
    title: "All-pairs n-body",
    steps: &[
        nbody_01_one_thread::STEP,
        nbody_02_n_threads::STEP,
        nbody_03_soa::STEP,
        nbody_04_constant_params::STEP,
        nbody_05_rsqrt::STEP,
        nbody_05x_two_loops::STEP,
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
        nbody_15_tensor_sums::STEP,
        nbody_16_tensor_distances::STEP,
        nbody_17_longer_sums::STEP,
        nbody_17x_fixed_point::STEP,
        nbody_18_bodies_divided::STEP,
        nbody_19_pairs_divided::STEP,
        nbody_20_tensor_divided::STEP,
    ],
    short_launches: &[
        nbody_04_constant_params::STEP,
        nbody_13x_one_launch::STEP,
        nbody_13x_graph::STEP,
    ],
};

/// The same work on the CPU.
const CPU: Ladder = Ladder {
    name: "cpu",
    title: "All-pairs n-body on the CPU",
    steps: &[
        cpu_01_c_loop::STEP,
        cpu_02_soa::STEP,
        cpu_03_no_if::STEP,
        cpu_04_lanes::STEP,
        cpu_05_wide_vectors::STEP,
        cpu_06_rsqrt::STEP,
        cpu_06x_register_blocks::STEP,
        cpu_07_pairs::STEP,
        cpu_08_shared_product::STEP,
        cpu_09_register_blocks::STEP,
        cpu_10_tiles::STEP,
        cpu_11_threads::STEP,
        cpu_11x_gcc::STEP,
    ],
    short_launches: &[],
};
