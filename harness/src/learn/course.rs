//! The exercises, what a reader has done of them, and verdicts on the reader's files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use teaching::learn::exercise::{self, Exercise};
use teaching::learn::findings::Verdict;
use teaching::learn::judge;
use teaching::learn::progress::Progress;
use ui::called;
use ui::output::{harmless, shown};

/// The exercises and their reader.
pub struct Course<'e> {
    /// All exercises, in their order.
    pub all: &'e [Exercise],
    /// What the reader has done.
    pub progress: Progress,
    /// How the reader calls `learn`: `cargo run -p harness -- learn`.
    command: String,
}

impl<'e> Course<'e> {
    /// The course of the reader whose files are in `dir`, by default in the workspace.
    ///
    /// # Errors
    /// What the reader has done cannot be read.
    pub fn open(all: &'e [Exercise], dir: Option<&Path>) -> Result<Course<'e>> {
        let dir_option = dir.map(|dir| format!(" --dir {}", dir.display())).unwrap_or_default();
        let command = format!("{} learn{dir_option}", called());
        Ok(Course { all, progress: Progress::open(dir)?, command })
    }

    /// The command line for these words, as the reader would type it: `hint guard`.
    pub fn command(&self, words: &str) -> String {
        format!("{} {words}", self.command).trim_end().to_owned()
    }

    /// The first exercise that is not passed.
    pub fn next(&self) -> Option<&'e Exercise> {
        self.progress.next(self.all)
    }

    /// The first exercise after this one that is not passed; of those before it, if there is none.
    pub fn after(&self, exercise: &Exercise) -> Option<&'e Exercise> {
        let later = self.all.iter().skip_while(|it| it.name != exercise.name);
        later.skip(1).find(|it| !self.progress.is_passed(it)).or(self.next())
    }

    /// The exercise of this name or number; the next one where there is no name.
    ///
    /// # Errors
    /// There is none.
    pub fn find(&self, name: Option<&str>) -> Result<&'e Exercise> {
        match name {
            Some(name) => Ok(exercise::find(self.all, name)?),
            None => self.next().or(self.all.last()).context("there are no exercises"),
        }
    }
}

/// Checks a file, with a spinner; none if `is_stale` before there is a verdict.
///
/// # Errors
/// The exercise is not in order, or no process can be started.
pub fn check(
    exercise: &Exercise,
    file: &Path,
    seed: u64,
    is_stale: &mut dyn FnMut() -> bool,
) -> Result<Option<Verdict>> {
    // As the reader would type it.
    let file = PathBuf::from(shown(file));
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} check {msg}") {
        spinner.set_style(style);
    }
    spinner.set_message(harmless(&file.display().to_string()).into_owned());
    spinner.enable_steady_tick(Duration::from_millis(100));
    let verdict = judge::check(exercise, &file, seed, is_stale);
    spinner.finish_and_clear();
    verdict
}
