//! The code in a file for an exercise, and what its reader gets to read where it is not checked to the end.

use std::path::{Path, PathBuf};

use device::{Error, Source};
use ladder::message::{self, Versions};
use ladder::verify::Failure;
use ladder::workspace::NotFound;
use toolchain::compiler;
use ui::output::shown;

use super::answer;
use super::exercise::{Exercise, OfStep};
use super::launch::Numbers;
use super::trial::Stop;

/// The code of a file for an exercise.
pub(super) struct Files {
    /// The kernels: the file's, or the committed ones for which it names a number.
    pub readers: Source,
    /// What of the file decides the launches.
    pub numbers: Numbers,
}

/// Why a file is not checked to the end.
pub(super) enum Refusal {
    /// Its kernel cannot be compiled, loaded, launched, or was stopped.
    Kernel(Error),
    /// It is wrong in the place of a step; and what was being verified.
    Failure(Failure, String),
    /// The reader's file, in words.
    Reader(String),
    /// The exercise itself is not in order.
    Exercise(anyhow::Error),
}

impl Refusal {
    /// In a line, for a file that was not compiled.
    pub fn plain(&self) -> String {
        match self {
            Refusal::Kernel(error) => error.to_string(),
            Refusal::Failure(failure, _) => failure.to_string(),
            Refusal::Reader(why) => why.clone(),
            Refusal::Exercise(error) => format!("{error:#}"),
        }
    }
}

impl From<toolchain::Error> for Refusal {
    fn from(error: toolchain::Error) -> Refusal {
        Refusal::Kernel(error.into())
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        match stop {
            Stop::Kernel(error) => Refusal::Kernel(error),
            Stop::Launch(why) => Refusal::Reader(why),
            Stop::Exercise(error) => Refusal::Exercise(error),
        }
    }
}

impl From<NotFound> for Refusal {
    fn from(error: NotFound) -> Refusal {
        Refusal::Exercise(error.into())
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Kernel(error)
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::Exercise(error)
    }
}

impl Files {
    /// Reads a file, and compiles nothing.
    pub fn read(exercise: &Exercise, file: &Path) -> Result<Files, Refusal> {
        if exercise.is_answered() {
            let number =
                answer::chosen(file).map_err(|error| Refusal::Reader(format!("{error:#}")))?;
            let committed = PathBuf::from(shown(&exercise.committed()?));
            let readers = Source::from_file(&committed, &[])?;
            return Ok(Files { readers, numbers: Numbers::answer(number) });
        }
        let readers = source(exercise, file)?;
        let numbers = Numbers::defined(readers.cuda.as_deref().unwrap_or_default());
        Ok(Files { readers, numbers })
    }

    /// What is wrong with it, in words; `doing` is what was being done.
    pub fn explain(&self, failure: &Failure, doing: &str) -> String {
        // What the reader began with is wrong: a difference from it says nothing.
        let versions = Versions { source: &self.readers, original: None };
        message::explain(failure, versions, doing)
    }

    /// What a reader gets to read.
    pub fn said(&self, refusal: Refusal) -> String {
        match refusal {
            Refusal::Kernel(error) => self.explain(&error.into(), ""),
            Refusal::Failure(failure, doing) => self.explain(&failure, &doing),
            Refusal::Reader(why) => format!("error: {why}"),
            Refusal::Exercise(error) => format!("error: {error:#}"),
        }
    }
}

/// The code in a file for an exercise. Lanes in lockstep wait for each other after a loop, and that is where clang, if it
/// optimises, moves what the last round does.
fn source(exercise: &Exercise, file: &Path) -> Result<Source, Refusal> {
    let Some(OfStep { ladder, to, .. }) = &exercise.step else {
        let is_plain = exercise.is_in_lockstep() && compiler::clang_compiles()?;
        let options: &[&str] = if is_plain { &["--device-debug"] } else { &[] };
        return Ok(Source::replacing(file, options, exercise.shared())?);
    };
    let ladder = ladders::ladder(ladder).map_err(anyhow::Error::from)?;
    let step = ladders::step(ladder, to).map_err(anyhow::Error::from)?;
    step.replaced(file, &ladder.kernels()?).map_err(Refusal::Kernel)
}
