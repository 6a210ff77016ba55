//! Full multithreading: as many threads as fit the multiprocessors, so that other warps work while one waits.
//! Device code: that of the step before, `kernels/barnes-hut/01-naive.cu`.

use barnes_hut::step::Blocks::PerMultiprocessor;
use barnes_hut::step::Call;
use barnes_hut::tutorial::{ADVANCE, BOX, BUILD, FORCE, SUMMARISE};
use barnes_hut::{Host, Step};
use barnes_hut_01_naive::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    code: PARENT.code,
    host: Host { calls: CALLS, ..PARENT.host },
    ..PARENT.then("02-full", "Full GPU", "dozens of warps per multiprocessor")
};

/// Blocks that wait for each other must all be resident, on any GPU: 1024 threads per multiprocessor are the fewest of all.
const CALLS: &[Call] = &[
    Call::new("box", PerMultiprocessor(4), 512, BOX),
    Call::new("build", PerMultiprocessor(4), 512, BUILD),
    Call::new("summarise", PerMultiprocessor(8), 128, SUMMARISE).together(),
    Call::new("force", PerMultiprocessor(32), 128, FORCE),
    Call::new("advance", PerMultiprocessor(2), 1024, ADVANCE),
];
