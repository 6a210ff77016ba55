//! The ladder `cpu`: all-pairs n-body on the processor, from a plain loop to wide vectors on all cores.
//!
//! Its problem is that of the ladder `nbody`; its yardstick in C is in `kernels/cpu/`.

use ladder::Steps;
use nbody::{Nbody, Step};

/// The ladder.
pub static LADDER: Steps<Nbody> =
    Steps { figure: || nbody::figure("All-pairs n-body on the CPU"), ..Steps::of("cpu", STEPS) };

/// The steps, in the order in which a reader climbs them.
pub const STEPS: &[Step] = &[
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
];
