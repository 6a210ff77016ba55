//! The ladder `barnes-hut-cpu`: Barnes–Hut on the processor, from a recursive tree to vectors on all cores.
//!
//! Its problem is the crate `barnes-hut-cpu` in `problem/`.

use barnes_hut_cpu::{BarnesHut, Step};
use ladder::Steps;

/// The ladder.
pub static LADDER: Steps<BarnesHut> = Steps::of("barnes-hut-cpu", STEPS);

/// The steps, in the order in which a reader climbs them.
pub const STEPS: &[Step] = &[
    barnes_hut_cpu_01_recursive::STEP,
    barnes_hut_cpu_02_array::STEP,
    barnes_hut_cpu_03_sorted::STEP,
    barnes_hut_cpu_04_groups::STEP,
    barnes_hut_cpu_05_vectors::STEP,
    barnes_hut_cpu_06_threads::STEP,
    barnes_hut_cpu_07_parallel_tree::STEP,
];

#[cfg(test)]
mod tests;
