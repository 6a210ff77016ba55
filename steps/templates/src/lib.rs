//! The ladder `templates`: one kernel that can do two things, of which a launch wants one. How it learns which is what
//! the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/templates/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Flag, Step, Window};

/// The ladder.
pub static LADDER: Steps<Window> = Steps::of("templates", &[CONSTANT_FLAG, ARGUMENT, TEMPLATE]);

/// Set before the launch.
pub const CONSTANT_FLAG: Step = Step::first(
    "01-constant-flag",
    "Flag in constant memory",
    "one kernel for both, a flag in constant memory",
    256,
    Flag::Constant,
);

/// Given with the launch.
pub const ARGUMENT: Step = Step {
    name: "02-argument",
    after: Some(CONSTANT_FLAG.name),
    title: "Flag as argument",
    changes: "the flag is an argument",
    code: Code::Cuda { file: "02-argument", options: &[] },
    host: Flag::Argument,
    ..CONSTANT_FLAG
};

/// Known to the compiler.
pub const TEMPLATE: Step = Step {
    name: "03-template",
    after: Some(ARGUMENT.name),
    title: "Template",
    changes: "a template with two entry points",
    code: Code::Cuda { file: "03-template", options: &[] },
    host: Flag::EntryPoint,
    ..ARGUMENT
};
