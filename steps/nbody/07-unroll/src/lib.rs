//! Unrolling: eight bodies per turn of the inner loop; the host pads the arrays so that tiles are always full.
//! Device code: `kernels/nbody/07-unroll.cu`.

use nbody::{Host, Step};
use nbody_06_shared_blocking::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { padding: 256, ..PARENT.host },
    ..PARENT.then("07-unroll", "Unrolling", "unrolled 8 times, arrays padded to full tiles")
};
