//! Climbing a ladder: each step from its source to its row.
//!
//! First every step is prepared: verified, and looked at for how long it takes ([`prepare`](mod@prepare)). Then
//! those that are measured are timed, round by round, beside each other ([`rounds`]). What has no
//! clock of its own, as on the simulator, has its row at once.

mod ceilings;
mod counting;
mod prepare;
mod rounds;
mod row;

use std::path::PathBuf;

use device::{Device, Module, Source};
use vectors::{Ceilings, Vectors};

use crate::nbody::{self, BodiesError};
use report::Row;
use crate::verify::{Cases, Problem};
use crate::{Ladder, Step, variant, workspace};
use report::{Defines, Request, Subject, Variant, files};

pub use prepare::{Prepared, Ready};
pub use rounds::News;

/// A ladder being climbed, in one process.
///
/// Keeps what steps share: the request, the bodies and their references, the sizes chosen so far.
pub struct Climb<'l> {
    ladder: &'l Ladder,
    request: Request,
    kernels: PathBuf,
    /// Which vectors code for the CPU is to use.
    vectors: Vectors,
    /// What the CPU was seen to do, with these and with its widest, on as many threads as steps use.
    ceilings: Vec<(Vectors, Ceilings)>,
    cases: Cases,
    device_is_lost: bool,
}

/// Why a ladder cannot be climbed as asked.
#[derive(Debug, thiserror::Error)]
pub enum ClimbError {
    /// The kernels cannot be found.
    #[error(transparent)]
    Workspace(#[from] workspace::NotFound),
    /// The body file cannot be used.
    #[error(transparent)]
    Bodies(#[from] BodiesError),
    /// The request asks for something impossible; what, and what is possible.
    #[error("{0}")]
    Request(String),
}

/// Why a step got no further.
enum Stop {
    /// Its results are wrong, or the device failed.
    Problem(Problem),
    /// It cannot be run as asked, and that is not its fault.
    Skip(String),
    /// Anything else.
    Reason(String),
}

impl<E: Into<Problem>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Problem(error.into())
    }
}

impl<'l> Climb<'l> {
    /// Checks the request and reads its body file.
    ///
    /// # Errors
    /// [`ClimbError`]: no workspace, a bad body file, an impossible size.
    pub fn new(ladder: &'l Ladder, request: Request) -> Result<Climb<'l>, ClimbError> {
        let vectors = match request.vectors.as_str() {
            "" => Vectors::best(),
            name => {
                name.parse().map_err(|error| ClimbError::Request(format!("--vectors {error}")))?
            }
        };
        let kernels = workspace::root()?.join("kernels").join(ladder.name);
        let bodies = request.bodies.as_deref().map(nbody::read).transpose()?;
        if let (Some(bodies), Some(file)) = (&bodies, &request.bodies) {
            let named = |problem| ClimbError::Request(format!("{}: {problem}", file.display()));
            bodies.check_range().map_err(named)?;
        }
        let available = bodies.as_ref().map_or(i32::MAX as u64, |bodies| bodies.len() as u64);
        check(&request, available).map_err(ClimbError::Request)?;
        let cases = Cases::from_file(bodies);
        let ceilings = Vec::new();
        let climb =
            Climb { ladder, request, kernels, vectors, ceilings, cases, device_is_lost: false };
        climb.check_defines()?;
        Ok(climb)
    }

    /// Whether the kernels offer the parameters of a sweep over their values.
    fn check_defines(&self) -> Result<(), ClimbError> {
        let steps = self.request.steps.iter().filter_map(|name| self.ladder.step(name));
        for (step, Defines { name, .. }) in
            steps.flat_map(|step| self.request.sweep_defines.iter().map(move |it| (step, it)))
        {
            let source = self.source(step, &Variant::default());
            let source = source.map_err(|error| ClimbError::Request(error.to_string()))?;
            let problem =
                |what: String| Err(ClimbError::Request(format!("--define {name}: {what}")));
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
        let steps: Vec<&str> = self.ladder.steps.iter().filter(offers).map(|it| it.name).collect();
        match steps.as_slice() {
            [] => String::new(),
            steps => format!("\n{name} is offered by {}", steps.join(", ")),
        }
    }

    /// Whether the device failed in a way that this process cannot go on from.
    pub fn device_is_lost(&self) -> bool {
        self.device_is_lost
    }

    /// The step's code, or the reader's in its place, as this variant.
    ///
    /// # Errors
    /// The files cannot be read, or have no such variant.
    pub fn source(&self, step: &Step, variant: &Variant) -> Result<Source, device::Error> {
        let mut source = match &self.request.replacement {
            Some(reader) if reader.step == step.name => {
                let file = Source::from_file(&reader.file, step.options())?;
                Source { needs: step.needs, ..file }
            }
            _ => step.source(&self.kernels)?,
        };
        variant.apply(step, &mut source)?;
        Ok(source)
    }

    /// Makes the step's code runnable on a device.
    fn load(
        &self,
        device: &mut dyn Device,
        step: &Step,
        variant: &Variant,
    ) -> Result<Module, device::Error> {
        match step.is_for_cpu() {
            true => nbody::load(device, step, &self.kernels, self.vectors),
            false => device.load(&self.source(step, variant)?),
        }
    }

    /// What went wrong, in the row of the step to which it happened.
    fn stopped(&mut self, mut row: Row, stop: Stop) -> Row {
        match stop {
            Stop::Skip(reason) => row::skip(&mut row, reason),
            Stop::Reason(reason) => row.reason = Some(reason),
            Stop::Problem(problem) => {
                self.device_is_lost |=
                    matches!(&problem, Problem::Device(error) if error.is_fatal());
                row::explain(&mut row, &problem);
            }
        }
        row
    }
}

/// What a row of the report is about.
pub fn subject(row: &Row) -> Subject {
    Subject { step: row.step.clone(), variant: row.variant() }
}

/// What is impossible in a request, with `available` bodies at most.
fn check(request: &Request, available: u64) -> Result<(), String> {
    for size in request.size.iter().chain(&request.sweep_sizes) {
        if *size == 0 {
            return Err("--size 0: there must be at least one body".to_owned());
        }
        if *size > available {
            return Err(format!(
                "--size {size}: no more than {available} can be had; choose at most that"
            ));
        }
    }
    if request.time_steps == Some(0) {
        return Err("--time-steps 0: there must be at least one time step".to_owned());
    }
    if let Some(file) = &request.save {
        files::check_writable(file).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
