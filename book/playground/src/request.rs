//! What the page asks, and the answer.

use serde::Deserialize;
use ui::output::explain;

use crate::answer::Answer;
use crate::{events, exercise, kernel};

/// What the page asks of a text that its reader typed.
#[derive(Deserialize)]
pub struct Request {
    /// What the text is.
    task: Task,
    /// The text itself; of an exercise it may be missing, and is that of the solution then.
    #[serde(default)]
    text: Option<String>,
    /// Decides what is random in the data.
    seed: u64,
    /// Whether the steps of the first warps are wanted, in place of a verdict.
    #[serde(default)]
    steps: bool,
}

/// What a text is.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Task {
    /// The solution of an exercise, named by its folder: "02-guard".
    Exercise(String),
    /// A kernel in the place of a step's: "nbody/06-shared-blocking".
    Kernel(String),
    /// Any kernels, launched as these lines say: "scale<<<4, 256>>>(x=f32[1024]=rand, f32=2)".
    Launches(String),
}

impl Request {
    /// The answer.
    pub fn answer(&self) -> Answer {
        let Request { task, text, seed, steps } = self;
        let given = text.as_deref();
        let text = given.unwrap_or_default();
        let answered = match task {
            Task::Exercise(name) if *steps => exercise::steps(name, given, *seed),
            Task::Kernel(name) if *steps => kernel::steps(name, text, *seed),
            Task::Launches(lines) if *steps => events::steps(lines, text, *seed),
            Task::Exercise(name) => exercise::check(name, given, *seed),
            Task::Kernel(name) => kernel::judge(name, text, *seed),
            Task::Launches(lines) => events::run(lines, text, *seed),
        };
        answered.unwrap_or_else(|error| Answer::impossible(explain(&error)))
    }
}
