//! The ladder `divergence`: even elements take one path, odd ones another. Which lanes of which warps meet which path
//! is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/divergence/`.

pub mod problem;

use ladder::{Code, Steps};

use problem::{Paths, Step};

/// The ladder.
pub static LADDER: Steps<Paths> =
    Steps::of("divergence", &[LANES, LENGTH_1, LENGTH_4, LENGTH_16, WARPS, BLOCKS])
        .not_modelled(&[("01x-length-16", "how paths that keep one pipe busy alternate")]);

/// Both paths in every warp.
const LANES: Step =
    Step::first("01-lanes", "By lane", "even lanes take one path, odd lanes the other", 256, ());

/// Paths so short that they are predicated.
const LENGTH_1: Step = Step {
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=1"] },
    ..LANES.then("01x-length-1", "Chosen 64 times", "the path is chosen anew after 1 round of 64")
};

/// Paths of a few instructions.
const LENGTH_4: Step = Step {
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=4"] },
    ..LANES.then("01x-length-4", "Chosen 16 times", "the path is chosen anew after 4 rounds of 64")
};

/// Longer paths.
const LENGTH_16: Step = Step {
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=16"] },
    ..LANES.then("01x-length-16", "Chosen 4 times", "the path is chosen anew after 16 rounds of 64")
};

const WARPS: Step =
    Step { ..LANES.then("02-warps", "By warp", "even warps take one path, odd warps the other") };

const BLOCKS: Step =
    WARPS.then("03-blocks", "By block", "even blocks take one path, odd blocks the other");

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 64_000.0, &[]));
