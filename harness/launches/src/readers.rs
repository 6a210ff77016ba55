//! A reader's kernel in the place of a step's own: compiler first, then results and hazards, then events and time against the
//! original.

pub mod against;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use device::{Device, Source};
use ladder::gaps::of_readers;
use ladder::message::{self, Versions};
use ladder::run::verify_on_simulated;
use ladder::verify::{Failure, Verification, Verified, Whose, verify, verify_blocks};
use ladder::{OpenProblem, Progress};
use report::Request;
use serde::{Deserialize, Serialize};
use show::table::terminal;
use ui::output::explain;

use against::{Counted, Subject};

/// Simulated GPUs on which a step is verified that divides its work, and how long one waits for the others.
const SEVERAL: [usize; 2] = [2, 3];
const PATIENCE: Duration = Duration::from_secs(60);

/// What is said of a kernel, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Something has begun.
    Doing(String),
    /// The kernel cannot be run on this machine.
    Impossible(String),
    /// It is wrong.
    Wrong(String),
    /// It is right.
    Right {
        /// What ran.
        code: String,
        /// How long verification took.
        seconds: f64,
        /// What of it never ran.
        gaps: Vec<String>,
    },
    /// It was compared with the step's own kernel.
    Compared(String),
}

impl Event {
    /// Whether nothing follows it.
    pub fn is_last(&self) -> bool {
        !matches!(self, Event::Doing(_) | Event::Right { .. })
    }
}

/// What gives verdicts on a kernel, as its file is each time.
pub struct Judge {
    subject: Subject,
    /// The problem, with the references that all versions of the kernel share.
    open: Mutex<Box<dyn OpenProblem>>,
    /// What was counted of the step's own kernel, once.
    original: Option<Counted>,
}

impl Judge {
    /// A judge who draws what is random from `seed`.
    ///
    /// # Errors
    /// The ladder does not open its problem.
    pub fn new(subject: Subject, seed: u64) -> Result<Judge> {
        let open = subject.ladder.open(&Request { seed, ..Request::default() })?;
        Ok(Judge { subject, open: Mutex::new(open), original: None })
    }

    /// The last event of a verdict; `tell` hears those before it.
    ///
    /// # Errors
    /// The step itself is not in order; or what `tell` says.
    pub fn verdict(&mut self, tell: &mut dyn FnMut(Event) -> Result<()>) -> Result<Event> {
        let began = Instant::now();
        let source = match self.subject.readers() {
            Ok(source) => source,
            Err(error) => return Ok(Event::Wrong(format!("error: {error}"))),
        };
        let original = self.subject.original()?;
        let mut doing = String::new();
        let verified = self.verify(&source, &mut |progress| {
            doing = progress.to_string();
            // Whoever hears nothing any more stops this by itself.
            let _ = tell(Event::Doing(doing.clone()));
        });
        let (code, Verified { gaps, .. }) = match verified {
            Ok(verified) => verified,
            Err(Failure::Device(error)) if error.is_skipped() => {
                return Ok(Event::Impossible(error.to_string()));
            }
            Err(failure) => {
                let versions = Versions { source: &source, original: Some(&original) };
                return Ok(Event::Wrong(message::explain(&failure, versions, &doing)));
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        let gaps = gaps.iter().map(ToString::to_string).collect();
        tell(Event::Right { code, seconds, gaps })?;
        if source.cuda.is_some() && source.text() == original.text() {
            let text = format!("It is {} unchanged: edit a line, and save.\n", original.file);
            return Ok(Event::Compared(text));
        }
        tell(Event::Doing("count its events".to_owned()))?;
        Ok(match self.compare(&source) {
            Ok(text) => Event::Compared(text),
            Err(error) => Event::Wrong(format!("error: its events: {}", explain(&error))),
        })
    }

    fn compare(&mut self, source: &Source) -> Result<String> {
        let readers = self.subject.count(source)?;
        self.count_original();
        let original = self.original.as_ref().context("the step's own kernel was not counted")?;
        Ok(against::text(original, &readers, terminal::width()))
    }

    /// Counts the step's own kernel, once. What cannot be counted is said where it is needed.
    pub fn count_original(&mut self) {
        if self.original.is_none() {
            let original = self.subject.original().map_err(anyhow::Error::from);
            self.original = original.and_then(|source| self.subject.count(&source)).ok();
        }
    }

    /// What ran, and what is known of it.
    fn verify(
        &self,
        source: &Source,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(String, Verified), Failure> {
        let Subject { step, .. } = &self.subject;
        progress(Progress::Load { expected_seconds: 0.0 });
        let mut device = self.subject.device();
        let mut module = device.load(source)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let how = Verification::of_readers(step)?;
        let Verified { extras, gaps } =
            verify(&mut device, &mut **open, step, &mut module, &how, progress)?;
        let own = self.subject.original()?;
        let gaps = of_readers(&mut device, &mut **open, (step, &own), gaps, progress)?;
        let n = open.default_size(step, device.info());
        if open.simulated_size(step, n) < n {
            let how = (n, Whose::Readers);
            verify_blocks(&mut device, &mut **open, step, &mut module, how, progress)?;
        }
        drop(open);
        if step.elsewhere.is_some() {
            let device = || -> Result<Box<dyn Device>, device::Error> {
                Ok(Box::new(self.subject.device()))
            };
            for gpus in SEVERAL {
                let how = (gpus, PATIENCE);
                verify_on_simulated(how, &device, &self.open, (step, source), progress)?;
            }
        }
        Ok((module.code().to_owned(), Verified { extras, gaps }))
    }
}
