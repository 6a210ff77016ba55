//! The ladder `filter`: a convolution of one dimension with 32 coefficients. Where coefficients and elements are read
//! from is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/filter/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Coefficients, Filter, Host, Step};

/// The ladder.
pub static LADDER: Steps<Filter> = Steps::of(
    "filter",
    &[
        GLOBAL,
        READ_ONLY_COEFFICIENTS,
        READ_ONLY,
        TEXTURE,
        CONSTANT,
        SHARED,
        REGISTER_WINDOW,
        COMPILED_IN,
    ],
)
.not_modelled(&[("03-shared", "how loads that are not aligned queue up before the L1 cache")]);

/// Everything in global memory.
pub const GLOBAL: Step = Step::first(
    "01-global",
    "Global",
    "a thread for each result",
    problem::THREADS,
    Host { coefficients: Coefficients::Array, each: 1 },
);

/// Coefficients through the read-only path.
pub const READ_ONLY_COEFFICIENTS: Step = Step {
    name: "01x-read-only-coefficients",
    after: Some(GLOBAL.name),
    detour: true,
    title: "Read-only coefficients",
    changes: "coefficients by ld.global.nc",
    code: Code::Cuda { file: "01x-read-only-coefficients", options: &[] },
    ..GLOBAL
};

/// Both through the read-only path.
pub const READ_ONLY: Step = Step {
    name: "01x-read-only",
    after: Some(GLOBAL.name),
    detour: true,
    title: "Read-only",
    changes: "elements and coefficients by ld.global.nc",
    code: Code::Cuda { file: "01x-read-only", options: &[] },
    ..GLOBAL
};

/// Coefficients from a texture.
pub const TEXTURE: Step = Step {
    name: "01x-texture",
    after: Some(GLOBAL.name),
    detour: true,
    title: "Texture",
    changes: "coefficients from a texture",
    code: Code::Cuda { file: "01x-texture", options: &[] },
    host: Host { coefficients: Coefficients::Texture, ..GLOBAL.host },
    ..GLOBAL
};

/// Coefficients from constant memory.
pub const CONSTANT: Step = Step {
    name: "02-constant",
    after: Some(GLOBAL.name),
    title: "Constant memory",
    changes: "coefficients in constant memory",
    code: Code::Cuda { file: "02-constant", options: &[] },
    host: Host { coefficients: Coefficients::Constant, ..GLOBAL.host },
    ..GLOBAL
};

/// Elements from shared memory.
pub const SHARED: Step = Step {
    name: "03-shared",
    after: Some(CONSTANT.name),
    title: "Shared tile",
    changes: "elements in shared memory",
    code: Code::Cuda { file: "03-shared", options: &[] },
    threads: Threads::Blocks { block: problem::THREADS, stated: true },
    ..CONSTANT
};

/// Several results of a thread.
pub const REGISTER_WINDOW: Step = Step {
    name: "04-register-window",
    after: Some(SHARED.name),
    title: "Register window",
    changes: "four results a thread",
    code: Code::Cuda { file: "04-register-window", options: &[] },
    host: Host { each: 4, ..SHARED.host },
    ..SHARED
};

/// Coefficients in the code.
pub const COMPILED_IN: Step = Step {
    name: "05-compiled-in",
    after: Some(REGISTER_WINDOW.name),
    title: "Compiled in",
    changes: "coefficients known to the compiler",
    code: Code::Cuda { file: "05-compiled-in", options: &[] },
    host: Host { coefficients: Coefficients::InTheCode, ..REGISTER_WINDOW.host },
    ..REGISTER_WINDOW
};
