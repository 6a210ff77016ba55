//! The ladder `divergence`: even elements take one path, odd ones another. Which lanes of which warps meet which path
//! is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/divergence/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Paths, Step};

/// The ladder.
pub static LADDER: Steps<Paths> =
    Steps::of("divergence", &[LANES, LENGTH_1, LENGTH_4, LENGTH_16, WARPS, BLOCKS])
        .not_modelled(&[("01x-length-16", "how paths that keep one pipe busy alternate")]);

/// Both paths in every warp.
pub const LANES: Step =
    Step::first("01-lanes", "By lane", "even lanes take one path, odd lanes the other", 256, ());

/// Paths so short that they are predicated.
pub const LENGTH_1: Step = Step {
    name: "01x-length-1",
    after: Some(LANES.name),
    detour: true,
    title: "Chosen 64 times",
    changes: "the path is chosen anew after 1 round of 64",
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=1"] },
    ..LANES
};

/// Paths of a few instructions.
pub const LENGTH_4: Step = Step {
    name: "01x-length-4",
    after: Some(LANES.name),
    detour: true,
    title: "Chosen 16 times",
    changes: "the path is chosen anew after 4 rounds of 64",
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=4"] },
    ..LANES
};

/// Longer paths.
pub const LENGTH_16: Step = Step {
    name: "01x-length-16",
    after: Some(LANES.name),
    detour: true,
    title: "Chosen 4 times",
    changes: "the path is chosen anew after 16 rounds of 64",
    code: Code::Cuda { file: "01-lanes", options: &["-DLENGTH=16"] },
    ..LANES
};

/// One path in each warp.
pub const WARPS: Step = Step {
    name: "02-warps",
    after: Some(LANES.name),
    title: "By warp",
    changes: "even warps take one path, odd warps the other",
    code: Code::Cuda { file: "02-warps", options: &[] },
    ..LANES
};

/// One path in each block.
pub const BLOCKS: Step = Step {
    name: "03-blocks",
    after: Some(WARPS.name),
    title: "By block",
    changes: "even blocks take one path, odd blocks the other",
    code: Code::Cuda { file: "03-blocks", options: &[] },
    ..WARPS
};
