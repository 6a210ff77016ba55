//! What one GPU of several does: it meets the others, verifies what it computes with them, and takes samples.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use device::{Device, Error, Group, Info, Seat, TimeSource};
use ladder::nbody::Divided;
use ladder::report::{Accuracy, CONFIDENCE, Outcome};
use ladder::statistics::{median, median_interval, spread};
use ladder::verify::{
    Case, Cases, Problem, acceleration_tolerance, verify_divided, verify_divided_accelerations,
};
use ladder::{Progress, Step};

use super::data::{Row, Series, Timed};
use super::plan::Request;

/// Bodies of the trial that loads all code.
const FEW: usize = 1000;

/// The most time steps of a sample: times are short where launches are what they consist of.
const MOST_TIME_STEPS: f64 = 1000.0;

/// What a GPU tells while it works.
pub enum News {
    /// It has met the others: its name, and through what they talk.
    Met(Box<Info>, String),
    /// It has begun something.
    Doing(String),
    /// A row is finished.
    Row(Box<Row>),
}

/// Runs all points of a request on the GPU with this seat.
///
/// # Errors
/// The first [`Problem`]; others of the group then wait in vain.
pub fn run(
    request: &Request,
    step: &Step,
    kernels: &Path,
    device: &mut dyn Device,
    rank: usize,
    cases: &Mutex<Cases>,
    tell: &dyn Fn(News),
) -> Result<(), Problem> {
    tell(News::Doing("loads its code".to_owned()));
    let mut module = device.load(&step.source(kernels)?)?;
    let seat = Seat {
        rank,
        size: request.gpus as usize,
        folder: request.folder.clone(),
        patience: Duration::from_secs(request.patience_seconds),
    };
    tell(News::Doing("waits for the other GPUs".to_owned()));
    let mut group = device.join(&seat)?;
    let group = &mut *group;
    tell(News::Met(Box::new(device.info().clone()), group.says()));
    let desk = Desk::new(device, group)?;
    {
        let few = cases.lock().unwrap_or_else(PoisonError::into_inner).bodies(FEW);
        let divided = Divided::allocate(device, group, step, &mut module, FEW)?;
        divided.upload(device, &few, None)?;
        divided.warm_up(device, group)?;
    }
    let mut progress = |progress: Progress| tell(News::Doing(progress.to_string()));
    verify_divided(device, group, step, &mut module, cases, &mut progress)?;
    for &(series, n) in &request.points {
        tell(News::Doing(format!("computes the reference of {n} bodies")));
        let case = cases.lock().unwrap_or_else(PoisonError::into_inner).timed(n as usize);
        tell(News::Doing(format!("is timed with {n} bodies")));
        let divided = Divided::allocate(device, group, step, &mut module, n as usize)?;
        let point = Point { request, divided, case, desk: &desk };
        let row = point.row(device, group, step, (series, n))?;
        tell(News::Row(Box::new(row)));
    }
    Ok(())
}

/// Where GPUs lay down a number each for all to see.
struct Desk {
    buffer: device::Buffer,
}

impl Desk {
    fn new(device: &mut dyn Device, group: &dyn Group) -> Result<Desk, Error> {
        Ok(Desk { buffer: device.alloc("desk", group.size() * size_of::<f64>())? })
    }

    /// The greatest of the numbers that all GPUs give; they go on together.
    fn greatest(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        own: f64,
    ) -> Result<f64, Error> {
        let mut all = vec![0; self.buffer.bytes()];
        for bytes in all.chunks_exact_mut(size_of::<f64>()) {
            bytes.copy_from_slice(&own.to_le_bytes());
        }
        device.upload(&self.buffer, &all)?;
        group.all_gather(device, &self.buffer)?;
        group.wait(device, &self.buffer)?;
        device.synchronize()?;
        device.download(&self.buffer, &mut all)?;
        let numbers = all.chunks_exact(size_of::<f64>());
        let numbers = numbers.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        Ok(numbers.fold(f64::NEG_INFINITY, f64::max))
    }
}

/// Some bodies on this GPU, to be timed.
struct Point<'r, 'm> {
    request: &'r Request,
    divided: Divided<'m>,
    case: Arc<Case>,
    desk: &'r Desk,
}

impl Point<'_, '_> {
    fn row(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        step: &Step,
        (series, n): (Series, u64),
    ) -> Result<Row, Problem> {
        self.divided.upload(device, &self.case.bodies, None)?;
        let errors = verify_divided_accelerations(device, group, &self.divided, &self.case)?;
        let tolerance = acceleration_tolerance(n as usize, step.bits);
        let is_modelled = device.info().modelled.is_some();
        let timed = match is_modelled {
            true => self.modelled(device, group)?,
            false => self.measured(device, group)?,
        };
        Ok(Row {
            step: step.name.to_owned(),
            gpus: self.request.gpus,
            series,
            n,
            outcome: if is_modelled { Outcome::Simulated } else { Outcome::Measured },
            reason: None,
            timed: Some(timed),
            accuracy: Some(Accuracy::of(n as usize, errors, tolerance)),
            gain: None,
        })
    }

    /// Samples by the host's clock, which all GPUs start and stop together.
    fn measured(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Timed, Problem> {
        let trial = self.sample(device, group, 1)?;
        let steps = (self.request.sample_seconds / trial.max(1e-9)).ceil();
        let time_steps = steps.clamp(1.0, MOST_TIME_STEPS) as u32;
        let (mut samples, mut launches) = (Vec::new(), Vec::new());
        for _ in 0..self.request.samples.max(1) {
            samples.push(self.sample(device, group, time_steps)?);
            launches.push(self.sample_of_launches(device, group, time_steps)?);
        }
        Ok(Timed {
            seconds: median(&samples).unwrap_or_default(),
            interval: median_interval(&samples, CONFIDENCE),
            spread: spread(&samples),
            launches_seconds: median(&launches).unwrap_or_default(),
            time_steps,
            source: TimeSource::Host,
            samples,
        })
    }

    /// Time of a time step, of `count` that follow one of freshly uploaded bodies, on the slowest GPU.
    fn sample(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        count: u32,
    ) -> Result<f64, Problem> {
        self.divided.upload(device, &self.case.bodies, None)?;
        self.divided.run(device, group, 0, 1)?;
        device.synchronize()?;
        self.desk.greatest(device, group, 0.0)?;
        let began = Instant::now();
        self.divided.run(device, group, 1, count)?;
        device.synchronize()?;
        let own = began.elapsed().as_secs_f64() / f64::from(count);
        Ok(self.desk.greatest(device, group, own)?)
    }

    /// The same without any exchange.
    fn sample_of_launches(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        count: u32,
    ) -> Result<f64, Problem> {
        self.divided.upload(device, &self.case.bodies, None)?;
        self.divided.run_apart(device, 0, 1)?;
        device.synchronize()?;
        self.desk.greatest(device, group, 0.0)?;
        let began = Instant::now();
        self.divided.run_apart(device, 1, count)?;
        device.synchronize()?;
        let own = began.elapsed().as_secs_f64() / f64::from(count);
        Ok(self.desk.greatest(device, group, own)?)
    }

    /// What the model says of one time step's launches; it knows nothing of exchanges.
    fn modelled(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Timed, Problem> {
        self.divided.upload(device, &self.case.bodies, None)?;
        let own = device.time(&mut |device| self.divided.run(device, group, 0, 1))?.seconds;
        let seconds = self.desk.greatest(device, group, own)?;
        Ok(Timed {
            seconds,
            interval: None,
            spread: None,
            launches_seconds: seconds,
            time_steps: 1,
            source: TimeSource::Model,
            samples: vec![seconds],
        })
    }
}
