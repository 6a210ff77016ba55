//! Full multithreading: as many threads as the tutorial gives each kernel, so that other warps work while one waits.
//! Device code: that of the step before, `kernels/barnes-hut/01-naive.cu`.

use barnes_hut::step::Blocks::PerMultiprocessor;
use barnes_hut::step::Call;
use barnes_hut::tutorial::{ADVANCE, BOX, BUILD, FORCE, SUMMARISE};
use barnes_hut::{Host, Step};
use barnes_hut_01_naive::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "02-full",
    after: Some(PARENT.name),
    title: "Full GPU",
    changes: "dozens of warps per multiprocessor",
    host: Host { calls: CALLS, ..PARENT.host },
    ..PARENT
};

/// Blocks that wait for each other fit any GPU at once: 1024 threads per multiprocessor are the fewest of all.
const CALLS: &[Call] = &[
    Call::new("box", PerMultiprocessor(3), 512, BOX),
    Call::new("build", PerMultiprocessor(3), 512, BUILD),
    Call::new("summarise", PerMultiprocessor(6), 128, SUMMARISE).together(),
    Call::new("force", PerMultiprocessor(5), 256, FORCE),
    Call::new("advance", PerMultiprocessor(1), 1024, ADVANCE),
];
