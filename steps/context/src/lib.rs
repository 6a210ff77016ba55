//! The ladder `context`: attention of a single query for each head over many keys, as a language model computes it for each
//! token that it writes, or of a few queries that share them.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/context/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Context, Plan, Step};

/// The ladder.
pub static LADDER: Steps<Context> = Steps::of("context", &[ONE_BLOCK, SPLIT, LAST_BLOCK, QUERIES])
    .not_modelled(&[
        (
            "02-split",
            "how fast its blocks read memory, which the model takes for slower than they do",
        ),
        (
            "04-queries",
            "how many bytes the sums of parts are, which the model takes to grow with the keys",
        ),
    ]);

/// A block for each head.
const ONE_BLOCK: Step = Step {
    needs: (8, 0), // numbers of BF16
    code: Code::Cuda { file: "01-one-block", options: &["--std=c++14"] },
    ..Step::first("01-one-block", "One block", "a block for each head", 256, Plan::Whole)
};

/// Several.
const SPLIT: Step = Step {
    host: Plan::TwoKernels,
    ..ONE_BLOCK.then("02-split", "Split", "several blocks share the keys; a second kernel merges")
};

/// One launch.
const LAST_BLOCK: Step = Step {
    host: Plan::LastBlock,
    ..SPLIT.then("03-last-block", "Last block", "the block that finishes last merges")
};

/// Several at once.
const QUERIES: Step = Step {
    rewrite: Some("tensor cores multiply keys and values with all queries of a head"),
    host: Plan::Queries,
    ..LAST_BLOCK.then("04-queries", "Queries", "up to 16 queries share the keys of a head")
};
