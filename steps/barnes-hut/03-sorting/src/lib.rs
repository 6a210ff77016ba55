//! Sorting: forces are computed in the order of the tree, which a sixth kernel finds.
//! Device code: `kernels/barnes-hut/03-sorting.cu`.

use barnes_hut::step::Blocks::PerMultiprocessor;
use barnes_hut::step::Call;
use barnes_hut::tutorial::{
    ADVANCE, ARRAYS_WITH_ORDER, BOX, BUILD, FORCE_IN_ORDER, SORT, SUMMARISE,
};
use barnes_hut::{Host, Step};
use barnes_hut_02_full::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { arrays: ARRAYS_WITH_ORDER, calls: CALLS, ..PARENT.host },
    ..PARENT.then("03-sorting", "Sorting", "forces in the order of the tree")
};

/// Blocks that wait for each other must all be resident, on any GPU: 1024 threads per multiprocessor are the fewest of all.
const CALLS: &[Call] = &[
    Call::new("box", PerMultiprocessor(4), 512, BOX),
    Call::new("build", PerMultiprocessor(4), 512, BUILD),
    Call::new("summarise", PerMultiprocessor(8), 128, SUMMARISE).together(),
    Call::new("sort", PerMultiprocessor(8), 128, SORT).together(),
    Call::new("force", PerMultiprocessor(32), 128, FORCE_IN_ORDER),
    Call::new("advance", PerMultiprocessor(2), 1024, ADVANCE),
];
