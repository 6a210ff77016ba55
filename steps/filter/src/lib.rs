//! The ladder `filter`: a convolution of one dimension with 32 coefficients. Where coefficients and elements are read
//! from is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/filter/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Steps, Threads};

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
const GLOBAL: Step = Step::first(
    "01-global",
    "Global",
    "a thread for each result",
    problem::THREADS,
    Host { coefficients: Coefficients::Array, each: 1 },
);

/// Coefficients through the read-only path.
const READ_ONLY_COEFFICIENTS: Step = GLOBAL.then(
    "01x-read-only-coefficients",
    "Read-only coefficients",
    "coefficients by ld.global.nc",
);

/// Both through the read-only path.
const READ_ONLY: Step =
    GLOBAL.then("01x-read-only", "Read-only", "elements and coefficients by ld.global.nc");

const TEXTURE: Step = Step {
    host: Host { coefficients: Coefficients::Texture, ..GLOBAL.host },
    ..GLOBAL.then("01x-texture", "Texture", "coefficients from a texture")
};

const CONSTANT: Step = Step {
    host: Host { coefficients: Coefficients::Constant, ..GLOBAL.host },
    ..GLOBAL.then("02-constant", "Constant memory", "coefficients in constant memory")
};

const SHARED: Step = Step {
    threads: Threads::Blocks { block: problem::THREADS, stated: true },
    ..CONSTANT.then("03-shared", "Shared tile", "elements in shared memory")
};

/// Several results of a thread.
const REGISTER_WINDOW: Step = Step {
    host: Host { each: 4, ..SHARED.host },
    ..SHARED.then("04-register-window", "Register window", "four results a thread")
};

/// Coefficients in the code.
const COMPILED_IN: Step = Step {
    host: Host { coefficients: Coefficients::InTheCode, ..REGISTER_WINDOW.host },
    ..REGISTER_WINDOW.then("05-compiled-in", "Compiled in", "coefficients known to the compiler")
};
