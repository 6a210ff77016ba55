//! The start: six kernels as a CPU program would have them, in blocks of one warp, one for each multiprocessor.
//! Device code: `kernels/barnes-hut/01-naive.cu`.

use barnes_hut::Step;
use barnes_hut::tutorial::NAIVE;

/// The first step.
pub const STEP: Step = Step::first(
    "01-naive",
    "Naive",
    "one warp per multiprocessor, a lock per insertion",
    32,
    NAIVE,
);
