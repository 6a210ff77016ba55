//! The ladder `templates`: one kernel that can do two things, of which a launch wants one. How it learns which is what
//! the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/templates/`.

pub mod problem;

use ladder::Steps;

use problem::{Flag, Step, Window};

/// The ladder.
pub static LADDER: Steps<Window> = Steps::of("templates", &[CONSTANT_FLAG, ARGUMENT, TEMPLATE]);

/// Set before the launch.
const CONSTANT_FLAG: Step = Step::first(
    "01-constant-flag",
    "Flag in constant memory",
    "one kernel for both, a flag in constant memory",
    256,
    Flag::Constant,
);

/// Given with the launch.
const ARGUMENT: Step = Step {
    host: Flag::Argument,
    ..CONSTANT_FLAG.then("02-argument", "Flag as argument", "the flag is an argument")
};

/// Known to the compiler.
const TEMPLATE: Step = Step {
    host: Flag::EntryPoint,
    ..ARGUMENT.then("03-template", "Template", "a template with two entry points")
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, &[]));
