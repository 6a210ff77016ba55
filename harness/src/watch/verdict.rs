//! The side that gives verdicts: compiler first, then results and hazards, then events and time against the original.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use device::{Device, Source};
use ladder::gaps::of_readers;
use ladder::message::{self, Versions};
use ladder::run::verify_on_simulated;
use ladder::verify::{Failure, Verified, Whose, verify_blocks, verify_readers};
use ladder::{OpenProblem, Progress};
use processes::send;
use report::Request;
use show::table::terminal;
use ui::output::explain;

use super::against::{self, Counted, Subject};
use super::protocol::{Event, Setup};

/// Simulated GPUs on which a step is verified that divides its work, and how long one waits for the others.
const SEVERAL: [usize; 2] = [2, 3];
const PATIENCE: Duration = Duration::from_secs(60);

/// Gives a verdict for each line of standard input until it closes.
///
/// # Errors
/// The first line is no setup, or names what is not there.
pub fn serve() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    let lines = processes::listen();
    let setup = lines.recv().context("there is no setup")?;
    let setup: Setup = serde_json::from_str(&setup).context("cannot understand the setup")?;
    let mut judge = Judge::new(setup)?;
    while lines.recv().is_ok() {
        let last = judge.verdict().unwrap_or_else(|error| Event::Impossible(explain(&error)));
        send(&last).context("the parent closed the pipe")?;
        // While the reader reads.
        judge.count_original();
    }
    Ok(ExitCode::SUCCESS)
}

struct Judge {
    subject: Subject,
    /// The problem, with the references that all versions of the kernel share.
    open: Mutex<Box<dyn OpenProblem>>,
    /// What was counted of the step's own kernel, once.
    original: Option<Counted>,
}

impl Judge {
    fn new(setup: Setup) -> Result<Judge> {
        let ladder = ladders::ladder(&setup.ladder)?;
        let open = ladder.open(&Request { seed: setup.seed, ..Request::default() })?;
        let step = ladders::step(ladder, &setup.step)?;
        let (kernels, gpu) = (ladder.kernels()?, device::described(&setup.gpu)?);
        let subject = Subject { ladder, step, file: setup.file, kernels, gpu };
        Ok(Judge { subject, open: Mutex::new(open), original: None })
    }

    /// The last event of a verdict; those before it are sent.
    fn verdict(&mut self) -> Result<Event> {
        let began = Instant::now();
        let source = match self.subject.readers() {
            Ok(source) => source,
            Err(error) => return Ok(Event::Wrong(format!("error: {error}"))),
        };
        let original = self.subject.original()?;
        let mut doing = String::new();
        let verified = self.verify(&source, &mut |progress| {
            doing = progress.to_string();
            tell(&doing);
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
        send(&Event::Right { code, seconds, gaps }).context("the parent closed the pipe")?;
        if source.cuda.is_some() && source.text() == original.text() {
            let text = format!("It is {} unchanged: edit a line, and save.\n", original.file);
            return Ok(Event::Compared(text));
        }
        tell("count its events");
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

    /// What cannot be counted is said where it is needed.
    fn count_original(&mut self) {
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
        progress(Progress::Load);
        let mut device = self.subject.device();
        let mut module = device.load(source)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Verified { extras, gaps } =
            verify_readers(&mut device, &mut **open, step, &mut module, progress)?;
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

fn tell(doing: &str) {
    // If the parent closed the pipe, this process ends anyway.
    let _ = send(&Event::Doing(doing.to_owned()));
}
