//! Climbing a ladder: each step from its source to its row.

mod row;

use std::path::PathBuf;

use device::{Device, Module, Source};

use crate::measure::{self, Measurement, SHORT_LAUNCH_SIZE};
use crate::nbody::{self, Simulation};
use crate::report::{Outcome, Row, Timed};
use crate::verify::{Cases, Drift, Problem, verify};
use crate::{Ladder, Progress, Request, Step, files, workspace};

/// A ladder being climbed, step after step, in one process.
///
/// Keeps what steps share: the request, the bodies and their references, the sizes chosen so far.
pub struct Climb<'l> {
    ladder: &'l Ladder,
    request: Request,
    kernels: PathBuf,
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
    Bodies(#[from] nbody::BodiesError),
    /// The request asks for something impossible; what, and what is possible.
    #[error("{0}")]
    Request(String),
}

/// Why a step got no further.
enum Stop {
    /// Its results are wrong, or the device failed.
    Problem(Problem),
    /// Anything else.
    Reason(String),
}

impl<E: Into<Problem>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Problem(error.into())
    }
}

/// What became of a step that got to the end.
struct Done {
    measurement: Measurement,
    drift: Drift,
    also: Vec<Timed>,
    note: Option<String>,
}

impl<'l> Climb<'l> {
    /// Checks the request and reads its body file.
    ///
    /// # Errors
    /// [`ClimbError`]: no workspace, a bad body file, an impossible size.
    pub fn new(ladder: &'l Ladder, request: Request) -> Result<Climb<'l>, ClimbError> {
        let kernels = workspace::root()?.join("kernels").join(ladder.name);
        let bodies = request.bodies.as_deref().map(nbody::read).transpose()?;
        if let (Some(bodies), Some(file)) = (&bodies, &request.bodies) {
            let named = |problem| ClimbError::Request(format!("{}: {problem}", file.display()));
            bodies.check_range().map_err(named)?;
        }
        let available = bodies.as_ref().map_or(i32::MAX as u64, |bodies| bodies.len() as u64);
        check(&request, available).map_err(ClimbError::Request)?;
        let cases = Cases::from_file(bodies);
        Ok(Climb { ladder, request, kernels, cases, device_is_lost: false })
    }

    /// Whether the device failed in a way that this process cannot go on from.
    pub fn device_is_lost(&self) -> bool {
        self.device_is_lost
    }

    /// Verifies and times one step. Whatever goes wrong is said in the row.
    pub fn step(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        progress: &mut dyn FnMut(Progress),
    ) -> Row {
        let mut row = Row::new(self.ladder.name, step, Outcome::Failed, None);
        row.device = Some(device.info().name.clone());
        match self.run(step, device, &mut row, progress) {
            Ok(done) => row::fill(&mut row, done),
            Err(Stop::Reason(reason)) => row.reason = Some(reason),
            Err(Stop::Problem(problem)) => {
                self.device_is_lost |=
                    matches!(&problem, Problem::Device(error) if error.is_fatal());
                row::explain(&mut row, &problem);
            }
        }
        row
    }

    fn run(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        row: &mut Row,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Done, Stop> {
        let target = self.target(step, device)?;
        progress(Progress::Load);
        let mut module = device.load(&self.source(step)?)?;
        let module = &mut module;
        row.code = Some(module.code().to_owned());
        let drift = verify(device, step, module, &mut self.cases, progress)?;
        let n = measure::choose_size(device, step, module, &self.cases, target, progress)?;
        progress(Progress::Measure { n: n as u64 });
        let measurement = measure::measure(device, step, module, &self.cases.timed(n))?;
        self.request.sizes.insert(step.name.to_owned(), n as u64);
        let also = self.also(step, device, module, n, progress)?;
        self.save(step, device, module, (n, target), progress)?;
        let note = (n < target).then(|| {
            format!("timed at n = {n} instead of {target}: a single launch would take too long")
        });
        Ok(Done { measurement, drift, also, note })
    }

    /// Bodies that are to be timed, if the device has room for them.
    fn target(&self, step: &Step, device: &dyn Device) -> Result<usize, Stop> {
        let info = device.info();
        let asked = self.request.size.and_then(|n| usize::try_from(n).ok());
        let available = self.cases.file_len();
        let target = asked.or(available).unwrap_or_else(|| measure::default_size(info, step));
        let needed = nbody::bytes(step, target as u64);
        if needed > info.memory_bytes {
            return Err(Stop::Reason(format!(
                "{target} bodies need {} MiB and {} has {}; choose a smaller --size",
                needed >> 20,
                info.name,
                info.memory_bytes >> 20
            )));
        }
        Ok(target)
    }

    /// The step's code, or the reader's in its place.
    fn source(&self, step: &Step) -> Result<Source, device::Error> {
        match &self.request.replacement {
            Some(reader) if reader.step == step.name => {
                Source::from_file(&reader.file, step.options)
            }
            _ => Source::from_kernels(&self.kernels, step.name, step.cuda, step.options),
        }
    }

    /// Measurements at further sizes: the parent's, and that of short launches.
    fn also(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        module: &mut Module,
        n: usize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Timed>, Stop> {
        let mut also = Vec::new();
        let parents = step.after.and_then(|after| self.request.sizes.get(after).copied());
        if let Some(size) = parents.and_then(|size| usize::try_from(size).ok())
            && size < n
        {
            progress(Progress::Measure { n: size as u64 });
            let at = measure::measure(device, step, module, &self.cases.timed(size))?;
            also.push(row::timed(&at, 1, at.step_seconds));
        }
        if self.ladder.has_short_launches(step) {
            let size = SHORT_LAUNCH_SIZE.min(self.cases.file_len().unwrap_or(usize::MAX));
            let time_steps = self.time_steps(device);
            progress(Progress::TimeSteps { n: size as u64, time_steps });
            let case = self.cases.timed(size);
            let at = measure::measure(device, step, module, &case)?;
            let seconds = measure::time_many_steps(device, step, module, &case, time_steps)?;
            also.push(row::timed(&at, time_steps, seconds));
        }
        Ok(also)
    }

    /// Runs the last step over all bodies and saves where they are.
    fn save(
        &mut self,
        step: &Step,
        device: &mut dyn Device,
        module: &mut Module,
        (n, target): (usize, usize),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Stop> {
        let is_last = self.request.steps.last().is_none_or(|last| last == step.name);
        let Some(file) = self.request.save.clone().filter(|_| is_last) else { return Ok(()) };
        if n < target {
            return Err(Stop::Reason(format!(
                "nothing was saved: this step is too slow for {target} bodies; \
                 let --steps end with a faster one"
            )));
        }
        let time_steps = self.time_steps(device);
        progress(Progress::Save { n: n as u64, time_steps });
        let case = self.cases.timed(n);
        let simulation = Simulation::new(device, step, module, &case.bodies)?;
        simulation.run(device, time_steps)?;
        // The last evaluation corrects the velocities.
        simulation.force(device, time_steps)?;
        let state = simulation.download(device)?;
        nbody::write(&file, &state.bodies).map_err(|error| Stop::Reason(error.to_string()))
    }

    fn time_steps(&self, device: &dyn Device) -> u32 {
        self.request.time_steps.unwrap_or_else(|| measure::default_time_steps(device.info()))
    }
}

/// What is impossible in a request, with `available` bodies at most.
fn check(request: &Request, available: u64) -> Result<(), String> {
    match request.size {
        Some(0) => return Err("--size 0: there must be at least one body".to_owned()),
        Some(size) if size > available => {
            return Err(format!(
                "--size {size}: no more than {available} can be had; choose at most that"
            ));
        }
        _ => {}
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
