//! One run over a ladder: each step from its source to its row.
//!
//! First every step is prepared: verified, and looked at for how long it takes ([`prepare`](mod@prepare)). Then
//! those that are measured are timed together, round by round ([`rounds`]). What has no
//! clock of its own, as on the simulator, has its row at once.

mod ceilings;
mod counting;
mod diagnosed;
mod prefetch;
mod prepare;
mod rounds;
mod row;
mod several;

use std::path::{Path, PathBuf};

use device::{Device, HostCode, Module, Source};
use report::{Defines, Replacement, Request, Row, Subject, Variant};
use simt::Gaps;
use vectors::{Ceilings, Vectors};

use crate::diagnose::Diagnosis;
use crate::ladder::{Ladder, OpenProblem};
use crate::limits::Counted;
use crate::problem::{OnCpu, OptionError};
use crate::verify::{Failure, Inputs};
use crate::{BlockError, Code, Step, Threads, variant, workspace};
use prefetch::CountPrefetch;

pub use prepare::{Prepared, Ready};
pub use rounds::News;
pub use several::verify_on_simulated;

/// A run over the steps of a ladder, in one process.
///
/// Keeps what steps share: the request, the opened problem, the sizes chosen so far.
pub struct LadderRun<'l> {
    ladder: &'l dyn Ladder,
    open: Box<dyn OpenProblem>,
    /// What is counted while steps are verified.
    prefetch: Option<CountPrefetch>,
    request: Request,
    kernels: PathBuf,
    /// Which vectors code for the CPU is to use.
    vectors: Vectors,
    /// What the CPU was seen to do, with these and with its widest, on as many threads as steps use.
    ceilings: Vec<(Vectors, Ceilings)>,
    /// What was counted so far, of which step at which size.
    counted: Vec<(Subject, u64, Counted)>,
    /// Which code of the last step never ran while it was verified, if that is noted.
    gaps: Option<Vec<Gaps>>,
    /// With which inputs steps are verified.
    inputs: Inputs,
    device_is_lost: bool,
}

/// Why a ladder cannot be run as requested.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The kernels cannot be found.
    #[error(transparent)]
    Workspace(#[from] workspace::NotFound),
    /// The request asks for something impossible; what, and what is possible.
    #[error("{0}")]
    Request(String),
    /// An option of the problem is impossible.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Why it is not known what a step executes.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// It has no time.
    #[error("it was not timed")]
    NotTimed,
    /// Its blocks cannot have the size of the variant.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// Its code cannot run on the simulator.
    #[error(transparent)]
    Device(#[from] device::Error),
}

/// Why a step got no further.
enum Stop {
    /// Its results are wrong, or the device failed.
    Failure(Failure),
    /// It cannot be run as asked, and that is not its fault.
    Skip(String),
    /// Anything else.
    Reason(String),
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failure(error.into())
    }
}

impl<'l> LadderRun<'l> {
    /// Checks the request and opens the ladder's problem.
    ///
    /// # Errors
    /// [`RunError`]: no workspace, an impossible size or option.
    pub fn new(ladder: &'l dyn Ladder, request: Request) -> Result<LadderRun<'l>, RunError> {
        let vectors = match request.vectors.as_str() {
            "" => Vectors::best(),
            name => {
                name.parse().map_err(|error| RunError::Request(format!("--vectors {error}")))?
            }
        };
        let kernels = workspace::root()?.join("kernels").join(ladder.name());
        let open = ladder.open(&request)?;
        check(&request, &*open).map_err(RunError::Request)?;
        let run = LadderRun {
            ladder,
            open,
            prefetch: None,
            request,
            kernels,
            vectors,
            ceilings: Vec::new(),
            counted: Vec::new(),
            gaps: None,
            inputs: Inputs::All,
            device_is_lost: false,
        };
        run.check_defines()?;
        Ok(run)
    }

    /// Whether the kernels offer the parameters of a sweep over their values.
    fn check_defines(&self) -> Result<(), RunError> {
        let steps = self.request.steps.iter().filter_map(|name| self.ladder.step(name));
        let steps: Vec<Step> = steps.filter(|step| !step.is_library()).collect();
        for (step, Defines { name, .. }) in steps
            .iter()
            .flat_map(|step| self.request.sweep_defines.iter().map(move |it| (step, it)))
        {
            let source = self.source(step, &Variant::default());
            let source = source.map_err(|error| RunError::Request(error.to_string()))?;
            let problem = |what: String| Err(RunError::Request(format!("--define {name}: {what}")));
            let Some(text) = source.cuda.as_deref() else {
                return problem(format!(
                    "{} is compiled already; give --kernel the .cu that it was made from",
                    source.file
                ));
            };
            let offered = variant::offered(text);
            if offered.contains(&name.as_str()) {
                continue;
            }
            let offers = match offered.as_slice() {
                [] => "it offers nothing".to_owned(),
                names => format!("it offers {}", names.join(", ")),
            };
            return problem(format!(
                "the kernel of {}, {}, does not use it with `#ifndef {name}`; {offers}{}",
                step.name,
                source.file,
                self.offering(name)
            ));
        }
        Ok(())
    }

    /// The steps whose own kernels offer a parameter, for the message that another does not.
    fn offering(&self, name: &str) -> String {
        let offers = |step: &&Step| {
            let source = step.source(&self.kernels).ok();
            let text = source.as_ref().and_then(|source| source.cuda.as_deref());
            text.is_some_and(|text| variant::offered(text).contains(&name))
        };
        let all = self.ladder.steps();
        let steps: Vec<&str> = all.iter().filter(offers).map(|it| it.name).collect();
        match steps.as_slice() {
            [] => String::new(),
            steps => format!("\n{name} is offered by {}", steps.join(", ")),
        }
    }

    /// Has it noted which code of steps never runs while they are verified, if the device can note it.
    pub fn note_gaps(&mut self) {
        self.gaps = Some(Vec::new());
    }

    /// Has it verify steps with a part of the inputs, unless it notes which code never runs.
    pub fn verify_with(&mut self, part: Inputs) {
        self.inputs = part;
    }

    /// What was noted of the last step that was prepared.
    pub fn gaps(&self) -> &[Gaps] {
        self.gaps.as_deref().unwrap_or_default()
    }

    /// Whether the device failed in a way that this process cannot go on from.
    pub fn device_is_lost(&self) -> bool {
        self.device_is_lost
    }

    /// The folder of the ladder's kernels.
    pub fn kernels(&self) -> &Path {
        &self.kernels
    }

    /// The reader's kernel in the place of a step's own, where there is one.
    fn replacement(&self, step: &Step) -> Option<&Replacement> {
        self.request.replacement.as_ref().filter(|reader| reader.step == step.name)
    }

    /// The step's code, or the reader's in its place, as this variant.
    ///
    /// # Errors
    /// The files cannot be read, or have no such variant.
    pub fn source(&self, step: &Step, variant: &Variant) -> Result<Source, device::Error> {
        let mut source = match self.replacement(step) {
            Some(reader) => step.replaced(&reader.file, &self.kernels)?,
            None => step.source(&self.kernels)?,
        };
        variant::apply(variant, step, &mut source)?;
        Ok(source)
    }

    /// Has a device begin to compile steps that are soon to be prepared on it.
    pub fn compile_ahead(&self, steps: &[(Step, Variant)], device: &mut dyn Device) {
        let here = steps
            .iter()
            .filter(|(step, _)| matches!(step.code, Code::Cuda { .. }) && step.elsewhere.is_none());
        // What cannot be read says so where it is loaded.
        let sources = here.filter_map(|(step, variant)| self.source(step, variant).ok());
        device.compile_ahead(sources.collect());
    }

    /// Makes the step's code runnable on a device.
    fn load(
        &self,
        device: &mut dyn Device,
        step: &Step,
        variant: &Variant,
    ) -> Result<Module, device::Error> {
        match step.code {
            Code::Cuda { .. } | Code::RustKernels => {
                return device.load(&self.source(step, variant)?);
            }
            Code::Library(function) => return device.load_library(function.library()),
            Code::Rust | Code::C { .. } => {}
        }
        let threads = threads(step, device).unwrap_or(1);
        let on = OnCpu { kernels: &self.kernels, vectors: self.vectors, threads };
        let code = self.open.host_code(step, &on)?;
        let plural = if threads == 1 { "" } else { "s" };
        let description = format!("{}, {threads} thread{plural}", code.description);
        device.load_host(HostCode { name: step.name.to_owned(), description, ..code })
    }

    /// What went wrong, and why as far as that is known, in the row of the step to which it happened.
    fn stopped(
        &mut self,
        mut row: Row,
        stop: Stop,
        (message, cause): (Option<String>, Option<Diagnosis>),
    ) -> Row {
        match stop {
            Stop::Skip(reason) => row::skip(&mut row, reason),
            Stop::Reason(reason) => row.reason = Some(reason),
            Stop::Failure(failure) => {
                self.device_is_lost |=
                    matches!(&failure, Failure::Device(error) if error.is_fatal());
                row::explain(&mut row, &failure);
            }
        }
        row.reason = message.or(row.reason);
        if let Some(cause) = cause {
            self.device_is_lost |= cause.is_lost;
            row::note(&mut row, cause.to_string());
        }
        row
    }
}

/// What a row of the report is about.
pub fn subject(row: &Row) -> Subject {
    Subject { step: row.step.clone(), variant: row.variant() }
}

/// On how many threads of the CPU a step's code runs there; none for kernels.
fn threads(step: &Step, device: &dyn Device) -> Option<usize> {
    match (step.code, step.threads) {
        (Code::Cuda { .. } | Code::RustKernels | Code::Library(_), _) => None,
        (_, Threads::Cores) => Some(device.threads()),
        _ => Some(1),
    }
}

/// What is impossible in a request.
fn check(request: &Request, open: &dyn OpenProblem) -> Result<(), String> {
    let (noun, most) = (&open.figure().size, open.most());
    if let (Some(size), Some(n)) = (request.size, open.implied_size()) {
        return Err(format!("--size {size}: a file has {n} {noun}; leave --size out"));
    }
    for size in request.size.iter().chain(&request.sweep_sizes) {
        if *size == 0 {
            return Err(format!("--size 0: there must be some {noun}"));
        }
        if *size > most {
            return Err(format!("--size {size}: there are at most {most} {noun}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
