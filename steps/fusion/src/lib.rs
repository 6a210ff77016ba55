//! The ladder `fusion`: five operations on vectors, one after the other. What is computed is next to nothing: how often
//! the vectors go to memory and back is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/fusion/`.

pub mod problem;

use ladder::Steps;

use problem::{Chain, Kernels, Step};

/// The ladder.
pub static LADDER: Steps<Chain> =
    Steps::of("fusion", &[FIVE_KERNELS, ADD_SCALE, ONE_KERNEL, FLOAT4]);

/// A launch for each operation.
const FIVE_KERNELS: Step = Step::first(
    "01-five-kernels",
    "Five kernels",
    "a kernel for each operation",
    256,
    Kernels::Five,
);

const ADD_SCALE: Step = Step {
    host: Kernels::Four,
    ..FIVE_KERNELS.then("02-add-scale", "Add and scale", "one kernel for the first two operations")
};

const ONE_KERNEL: Step = Step {
    host: Kernels::One { elements: 1 },
    ..ADD_SCALE.then("03-one-kernel", "One kernel", "one kernel for all operations")
};

/// Four elements at once.
const FLOAT4: Step = Step {
    host: Kernels::One { elements: 4 },
    ..ONE_KERNEL.then("04-float4", "float4", "four elements a thread")
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 12_000.0, &[]));
