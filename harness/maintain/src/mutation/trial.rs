//! The worker's side: verifies one mutant after the other.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use device::{CodeRoute, Device, Ptx, SimulatorDevice, Source};
use ladder::problem::{Input, SEED};
use ladder::run::verify_on_simulated;
use ladder::verify::{Failure, Verification, evaluate, run, verify};
use ladder::{Ladder, OpenProblem, Progress, Step};
use processes::send;
use report::Request;
use report::mutation::Cause;

use super::protocol::{Event, Job, Setup, Task};

/// Numbers of simulated GPUs on which a step is verified that divides its work, the quickest first.
const GPUS: [usize; 3] = [1, 2, 3];

/// How long one of them waits for the others.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answers jobs from standard input until it closes.
///
/// # Errors
/// The first line is no setup, or names what is not there.
pub fn serve() -> Result<ExitCode> {
    // Ctrl-C reaches every process of the terminal: the one that started this one decides.
    ctrlc::set_handler(|| {}).context("cannot take over Ctrl-C")?;
    std::panic::set_hook(Box::new(|panic| {
        let _ = send(&Event::Killed { cause: Cause::Crash, why: panic.to_string() });
        process::exit(1);
    }));
    let lines = processes::listen();
    let setup = lines.recv().context("there is no setup")?;
    let verifier =
        Verifier::new(&serde_json::from_str(&setup).context("cannot understand the setup")?)?;
    while let Ok(line) = lines.recv() {
        let job: Job = serde_json::from_str(&line).context("cannot understand the job")?;
        send(&verifier.answer(job)?).context("the parent closed the pipe")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Verifies mutants of one ladder's steps.
struct Verifier {
    ladder: &'static dyn Ladder,
    gpu: simt::model::Gpu,
    kernels: PathBuf,
    /// The problem, with the references that all mutants share.
    open: Mutex<Box<dyn OpenProblem>>,
}

impl Verifier {
    fn new(setup: &Setup) -> Result<Verifier> {
        let ladder = ladders::ladder(&setup.ladder)?;
        let open = ladder.open(&Request { seed: setup.seed, ..Request::default() })?;
        Ok(Verifier {
            ladder,
            gpu: device::described(&setup.gpu)?,
            kernels: ladder.kernels()?,
            open: Mutex::new(open),
        })
    }

    fn answer(&self, job: Job) -> Result<Event> {
        let step = ladders::step(self.ladder, &job.step)?;
        let file = format!("{}.ptx", step.name);
        if let Err(error) = simt::Module::parse(&file, &job.text) {
            return Ok(Event::NotPtx(error.to_string()));
        }
        let own = step.source(&self.kernels)?;
        let ptx = vec![Ptx { file, text: job.text }];
        let source = Source { cuda: None, includes: Vec::new(), ptx, machine: None, ..own };
        let outcome = match job.task {
            Task::Verify => self.verify(&step, &source).and_then(|()| {
                let mut shared = GPUS.into_iter().filter(|_| step.elsewhere.is_some());
                shared.try_for_each(|gpus| self.verify_shared(&step, &source, gpus))
            }),
            Task::Look => return self.look(&step, &source),
        };
        Ok(match outcome {
            Ok(()) => Event::Verified,
            Err(failure) => killed(&failure),
        })
    }

    fn device(&self) -> SimulatorDevice {
        SimulatorDevice::open(CodeRoute::Auto, self.gpu.clone())
    }

    /// What `run` does of a step: all that is verified before it times anything, then the results at the size that is timed.
    fn verify(&self, step: &Step, source: &Source) -> Result<(), Failure> {
        let mut device = self.device();
        let mut module = device.load(source)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        verify(&mut device, &mut **open, step, &mut module, &Verification::default(), &mut doing)?;
        let n = open.simulated_size(step, open.default_size(step, device.info()));
        doing(Progress::Verify { n, what: "the timed size" });
        let mut pass = open.place(&mut device, step, &mut module, Input::timed(n, SEED))?;
        run(&mut device, &mut *pass).map(drop)
    }

    /// What `scale` does before it times anything.
    fn verify_shared(&self, step: &Step, source: &Source, size: usize) -> Result<(), Failure> {
        let device = || -> Result<Box<dyn Device>, device::Error> { Ok(Box::new(self.device())) };
        verify_on_simulated((size, PATIENCE), &device, &self.open, (step, source), &mut doing)
    }

    /// Runs all inputs once more, and looks at what is executed and at the results' bits.
    fn look(&self, step: &Step, source: &Source) -> Result<Event> {
        let mut device = self.device();
        let mut module = device.load(source)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut bits, mut executed) = (Vec::new(), BTreeMap::new());
        device.take_seen();
        for input in open.verification(step, false) {
            doing(Progress::Verify { n: input.n, what: "bits" });
            let mut pass = open.place(&mut device, step, &mut module, input)?;
            // It passed in other orders of blocks and warps: this one may be the first that finds it.
            if let Err(failure) = evaluate(&mut device, &mut *pass) {
                return Ok(killed(&failure));
            }
            let (lines, digest) = device.take_seen();
            bits.push(digest);
            for (line, executions) in lines {
                *executed.entry(line).or_default() += executions;
            }
        }
        Ok(Event::Looked { bits, executed })
    }
}

fn doing(progress: Progress) {
    // If the parent closed the pipe, this process ends anyway.
    let _ = send(&Event::Doing(progress.to_string()));
}

fn killed(failure: &Failure) -> Event {
    Event::Killed { cause: cause(failure), why: failure.to_string() }
}

/// What found a mutant.
fn cause(failure: &Failure) -> Cause {
    match failure {
        Failure::Wrong(_)
        | Failure::Clock(_)
        | Failure::Impossible { .. }
        | Failure::Kept { .. } => Cause::Results,
        Failure::Device(device::Error::Kernel { fault, .. }) => {
            if fault.is_hazard() {
                Cause::Hazard
            } else {
                Cause::Fault
            }
        }
        Failure::Device(device::Error::Fault(_)) => Cause::Fault,
        Failure::Device(_) => Cause::Refused,
    }
}
