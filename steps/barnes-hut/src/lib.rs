//! The ladder `barnes-hut`: n bodies by a tree of cells, from six naive kernels to the tutorial's last ones.
//!
//! Its problem is the crate `barnes-hut` in `problem/`; its kernels are in `kernels/barnes-hut/`.

use barnes_hut::{BarnesHut, Step};
use ladder::Steps;

/// The ladder.
pub static LADDER: Steps<BarnesHut> = Steps::of("barnes-hut", STEPS);

/// The steps, in the order in which a reader climbs them.
pub const STEPS: &[Step] = &[barnes_hut_01_naive::STEP];
