//! A structure of arrays: ten arrays, one per field, so that neighbouring threads can read neighbouring addresses.
//! Device code: `kernels/nbody/03-soa.cu`.

use nbody::{Host, Layout, Step};
use nbody_02_n_threads::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("every access to a field becomes one to an array"),
    host: Host { layout: Layout::ScalarArrays, ..PARENT.host },
    ..PARENT.then("03-soa", "Scalar arrays", "one array per field instead of structs")
};
