//! The ladder `barnes-hut`: n bodies by a tree of cells, from six naive kernels to the tutorial's last ones
//! and past them.
//!
//! Its problem is the crate `barnes-hut` in `problem/`; its kernels are in `kernels/barnes-hut/`.

use barnes_hut::{BarnesHut, Step};
use ladder::Steps;

/// The ladder.
pub static LADDER: Steps<BarnesHut> = Steps::of("barnes-hut", STEPS).not_modelled(&[
    ("03-sorting", FEW_BODIES),
    ("04-one-walk", FEW_BODIES),
    ("14-error", FEW_BODIES),
    ("15-groups", FEW_BODIES),
]);

/// Why a step is not modelled whose gain with a million bodies is a loss with those that the simulator can run.
const FEW_BODIES: &str =
    "it gains with a million bodies, and the simulator can run only some ten thousand";

/// The steps, in the order in which a reader climbs them.
pub const STEPS: &[Step] = &[
    barnes_hut_01_naive::STEP,
    barnes_hut_01x_lock_first::STEP,
    barnes_hut_02_full::STEP,
    barnes_hut_03_sorting::STEP,
    barnes_hut_04_one_walk::STEP,
    barnes_hut_05_voting::STEP,
    barnes_hut_06_rsqrt::STEP,
    barnes_hut_07_recompute::STEP,
    barnes_hut_08_lock_free::STEP,
    barnes_hut_09_pre_pass::STEP,
    barnes_hut_10_not_volatile::STEP,
    barnes_hut_10x_24_blocks::STEP,
    barnes_hut_10x_one_warp::STEP,
    barnes_hut_10x_without::STEP,
    barnes_hut_11_keys::STEP,
    barnes_hut_12_lists::STEP,
    barnes_hut_13_curve::STEP,
    barnes_hut_14_error::STEP,
    barnes_hut_15_groups::STEP,
    barnes_hut_16_second_moments::STEP,
    barnes_hut_17_few::STEP,
    barnes_hut_18_divided::STEP,
    barnes_hut_19_forest::STEP,
];
