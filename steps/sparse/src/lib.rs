//! The ladder `sparse`: an expensive computation for those elements that are not zero. Where these lie at random, which
//! threads compute them is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/sparse/`.

pub mod problem;

use ladder::{Steps, Threads};

use problem::{Collects, Sparse, Step};

/// The ladder.
pub static LADDER: Steps<Sparse> =
    Steps::of("sparse", &[BRANCH, DENSE, COMPACT_IN_BLOCKS, COMPACT_ALL]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Each thread looks at its own element.
const BRANCH: Step = Step::first(
    "01-branch",
    "Branch",
    "each thread computes unless its element is zero",
    BLOCK,
    Collects::Nothing,
);

/// Zeros are computed too.
const DENSE: Step = BRANCH.then("01x-dense", "Dense", "zeros are computed as well");

/// The work of a block in few warps.
const COMPACT_IN_BLOCKS: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..BRANCH.then(
        "02-compact-in-blocks",
        "Compacted in blocks",
        "each block collects its elements first",
    )
};

/// All work in full warps.
const COMPACT_ALL: Step = Step {
    host: Collects::All,
    ..COMPACT_IN_BLOCKS.then("03-compact-all", "Compacted", "a kernel collects all elements first")
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 4099.0, &[]));
