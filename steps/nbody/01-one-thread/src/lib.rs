//! The start: the loop of a CPU program in C, run by a single GPU thread over an array of structs.
//! Device code: `kernels/nbody/01-one-thread.cu`.

use ladder::Threads;
use nbody::{Host, Layout, Step};

/// The first step of the n-body ladder.
pub const STEP: Step = Step {
    threads: Threads::One,
    ..Step::first(
        "01-one-thread",
        "One thread",
        "the C loop as it is, run by one thread",
        1,
        Host { layout: Layout::ArrayOfStructs, ..Host::PLAIN },
    )
};
