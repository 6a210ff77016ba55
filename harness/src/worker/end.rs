//! How a worker ended, in words.

use std::process::ExitStatus;

use report::Subject;

/// How a worker ended.
pub struct End {
    pub status: ExitStatus,
    /// The step that it had begun and not ended.
    pub began: Option<Subject>,
    /// What it did for too long, so that it was ended.
    pub overdue: Option<String>,
    /// The last lines of its standard error.
    pub last_words: String,
}

impl End {
    /// What a failed row says.
    pub fn describe(&self) -> String {
        if let Some(doing) = &self.overdue {
            format!(
                "no progress during `{doing}`, so it was stopped: is there an endless loop? \
                 --deadline SECONDS allows more time"
            )
        } else if self.last_words.is_empty() {
            format!("the worker process died: {}{}", self.status, killed(self.status))
        } else {
            format!("the worker process died: {}\n{}", self.status, self.last_words)
        }
    }
}

/// What to do about a worker that did not end by itself and had nothing to say.
fn killed(status: ExitStatus) -> &'static str {
    if status.code().is_none() {
        "; run the step alone with --steps, and smaller with --size if memory may have run out"
    } else {
        ""
    }
}
