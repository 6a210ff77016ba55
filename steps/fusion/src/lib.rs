//! The ladder `fusion`: five operations on vectors, one after the other. What is computed is next to nothing: how often
//! the vectors go to memory and back is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/fusion/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Chain, Kernels, Step};

/// The ladder.
pub static LADDER: Steps<Chain> =
    Steps::of("fusion", &[FIVE_KERNELS, ADD_SCALE, ONE_KERNEL, FLOAT4]);

/// A launch for each operation.
pub const FIVE_KERNELS: Step = Step::first(
    "01-five-kernels",
    "Five kernels",
    "a kernel for each operation",
    256,
    Kernels::Five,
);

/// One for the first two.
pub const ADD_SCALE: Step = Step {
    name: "02-add-scale",
    after: Some(FIVE_KERNELS.name),
    title: "Add and scale",
    changes: "one kernel for the first two operations",
    code: Code::Cuda { file: "02-add-scale", options: &[] },
    host: Kernels::Four,
    ..FIVE_KERNELS
};

/// One for all.
pub const ONE_KERNEL: Step = Step {
    name: "03-one-kernel",
    after: Some(ADD_SCALE.name),
    title: "One kernel",
    changes: "one kernel for all operations",
    code: Code::Cuda { file: "03-one-kernel", options: &[] },
    host: Kernels::One { elements: 1 },
    ..ADD_SCALE
};

/// Four elements at once.
pub const FLOAT4: Step = Step {
    name: "04-float4",
    after: Some(ONE_KERNEL.name),
    title: "float4",
    changes: "four elements a thread",
    code: Code::Cuda { file: "04-float4", options: &[] },
    host: Kernels::One { elements: 4 },
    ..ONE_KERNEL
};
