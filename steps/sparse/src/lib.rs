//! The ladder `sparse`: an expensive computation for those elements that are not zero. Where these lie at random, which
//! threads compute them is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/sparse/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Collects, Sparse, Step};

/// The ladder.
pub static LADDER: Steps<Sparse> =
    Steps::of("sparse", &[BRANCH, DENSE, COMPACT_IN_BLOCKS, COMPACT_ALL]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Each thread looks at its own element.
pub const BRANCH: Step = Step::first(
    "01-branch",
    "Branch",
    "each thread computes unless its element is zero",
    BLOCK,
    Collects::Nothing,
);

/// Zeros are computed too.
pub const DENSE: Step = Step {
    name: "01x-dense",
    after: Some(BRANCH.name),
    detour: true,
    title: "Dense",
    changes: "zeros are computed as well",
    code: Code::Cuda { file: "01x-dense", options: &[] },
    ..BRANCH
};

/// The work of a block in few warps.
pub const COMPACT_IN_BLOCKS: Step = Step {
    name: "02-compact-in-blocks",
    after: Some(BRANCH.name),
    title: "Compacted in blocks",
    changes: "each block collects its elements first",
    code: Code::Cuda { file: "02-compact-in-blocks", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..BRANCH
};

/// All work in full warps.
pub const COMPACT_ALL: Step = Step {
    name: "03-compact-all",
    after: Some(COMPACT_IN_BLOCKS.name),
    title: "Compacted",
    changes: "a kernel collects all elements first",
    code: Code::Cuda { file: "03-compact-all", options: &[] },
    host: Collects::All,
    ..COMPACT_IN_BLOCKS
};
