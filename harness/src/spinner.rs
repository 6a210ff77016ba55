//! What is done just now: a spinner on a terminal, a line now and then elsewhere. It is on standard error.

use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use ui::output::{print, say};

/// How long nothing may be said where no spinner is seen.
const SILENCE: Duration = Duration::from_secs(1);

/// A spinner with what is done.
pub struct Spinner {
    bar: ProgressBar,
    doing: String,
    /// When something was last said.
    said: Instant,
}

impl Default for Spinner {
    fn default() -> Spinner {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Spinner { bar, doing: "start".to_owned(), said: Instant::now() }
    }
}

impl Spinner {
    /// Something is done from now on.
    pub fn begin(&mut self, doing: &str) {
        self.bar.set_message(doing.to_owned());
        doing.clone_into(&mut self.doing);
        self.tick();
    }

    /// It goes on.
    pub fn tick(&mut self) {
        if self.bar.is_hidden() && self.said.elapsed() >= SILENCE {
            say(&format!("… {}", self.doing));
            self.said = Instant::now();
        }
    }

    /// Prints on standard output.
    ///
    /// # Errors
    /// Nobody reads it any more.
    pub fn print(&mut self, text: &str) -> Result<()> {
        self.said = Instant::now();
        self.bar.suspend(|| print(text))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
