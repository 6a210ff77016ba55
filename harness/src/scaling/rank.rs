//! What one GPU of several does: it meets the others, verifies what it computes with them, and takes samples.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use device::{Buffer, Device, Error, Group, Info, Member, TimeSource};
use ladder::problem::{Input, SharedPass};
use ladder::verify::{Failure, Verification, verify_shared};
use ladder::{OpenProblem, Progress, Step};
use report::scaling::{Row, Series, Timed};
use report::statistics::{median, median_interval, spread};
use report::{CONFIDENCE, Outcome};

use super::plan::Request;
use super::predict::{Imagined, Link};

/// The size of the trial that loads all code.
const FEW: u64 = 1000;

/// The most wholes of a sample: times are short where launches are what they consist of.
const MOST_WHOLES: f64 = 1000.0;

/// Wholes that are verified before they are timed.
const WHOLES: u32 = 2;

/// What a GPU reports while it works.
pub enum News {
    /// It has met the others: its name, and through what they talk.
    Met(Box<Info>, String),
    /// It has begun something.
    Doing(String),
    /// A row is finished.
    Row(Box<Row>),
}

/// Runs all points of a request on the GPU of this rank.
/// After an error the others of the group wait in vain.
pub fn run(
    request: &Request,
    step: &Step,
    kernels: &Path,
    device: &mut dyn Device,
    rank: usize,
    open: &Mutex<Box<dyn OpenProblem>>,
    tell: &dyn Fn(News),
) -> Result<(), Failure> {
    tell(News::Doing("loads its code".to_owned()));
    let mut module = device.load(&step.source(kernels)?)?;
    let member = Member {
        rank,
        size: request.gpus as usize,
        folder: request.folder.clone(),
        patience: Duration::from_secs(request.patience_seconds),
        through_files: request.link.is_some(),
    };
    tell(News::Doing("waits for the other GPUs".to_owned()));
    let mut group = device.join(&member)?;
    let group = &mut *group;
    let exchange = request.link.map_or_else(|| group.says(), |link| link.to_string());
    tell(News::Met(Box::new(device.info().clone()), exchange));
    let exchange = device.alloc("exchange", group.size() * size_of::<f64>())?;
    let opened = || open.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut pass =
            opened().place_shared(device, group, step, &mut module, Input::trial(FEW))?;
        pass.upload(device)?;
        pass.warm_up(device, group)?;
    }
    let mut progress = |progress: Progress| tell(News::Doing(progress.to_string()));
    let how = Verification::default();
    verify_shared(device, group, open, step, &mut module, &how, &mut progress)?;
    for &(series, n) in &request.points {
        check_memory(opened().bytes(step, n), n, device.info())?;
        tell(News::Doing(format!("computes the reference at n = {n}")));
        let input = Input::timed(n, opened().seed());
        let pass = opened().place_shared(device, group, step, &mut module, input)?;
        tell(News::Doing(format!("is timed at n = {n}")));
        let work = opened().work(n);
        let mut point = Point { request, device, group, pass, work, exchange: &exchange };
        tell(News::Row(Box::new(point.row(step, (series, n))?)));
    }
    Ok(())
}

/// Refuses a size that needs more memory than the device has, before the host's is filled.
fn check_memory(bytes: u64, n: u64, info: &Info) -> Result<(), Error> {
    if bytes <= info.memory_bytes {
        return Ok(());
    }
    Err(Error::OutOfMemory {
        name: format!("n = {n}"),
        bytes,
        free: info.memory_free_bytes,
        device: info.name.clone(),
    })
}

/// A size on this GPU, to be timed.
struct Point<'p> {
    request: &'p Request,
    device: &'p mut dyn Device,
    group: &'p mut dyn Group,
    pass: Box<dyn SharedPass + 'p>,
    work: f64,
    /// In it every GPU sees a number of each other.
    exchange: &'p Buffer,
}

impl Point<'_> {
    fn row(&mut self, step: &Step, (series, n): (Series, u64)) -> Result<Row, Failure> {
        self.pass.upload(self.device)?;
        self.pass.run(self.device, self.group)?;
        let checked = self.pass.check(self.device, self.group)?;
        self.pass.upload(self.device)?;
        self.wholes(0, WHOLES, true)?;
        self.pass.check_wholes(self.device, self.group, WHOLES)?;
        let (outcome, timed) = match (&self.device.info().modelled, self.request.link) {
            (Some(_), _) => (Outcome::Simulated, self.modelled()?),
            (None, Some(link)) if self.group.size() > 1 => {
                (Outcome::Simulated, self.predicted(link)?)
            }
            (None, _) => (Outcome::Measured, self.measured()?),
        };
        Ok(Row {
            step: step.name.to_owned(),
            gpus: self.request.gpus,
            series,
            n,
            outcome,
            reason: None,
            timed: Some(timed),
            accuracy: Some(checked.errors.accuracy(n, checked.tolerance)),
            gain: None,
        })
    }

    /// Samples by the host's clock, which all GPUs start and stop together.
    fn measured(&mut self) -> Result<Timed, Failure> {
        let trial = self.sample(1, true)?;
        let count = self.wholes_in_a_sample(trial);
        let (mut samples, mut launches) = (Vec::new(), Vec::new());
        for _ in 0..self.request.samples.max(1) {
            samples.push(self.sample(count, true)?);
            launches.push(self.sample(count, false)?);
        }
        Ok(Timed {
            seconds: median(&samples).unwrap_or_default(),
            interval: median_interval(&samples, CONFIDENCE),
            spread: spread(&samples),
            launches_seconds: median(&launches).unwrap_or_default(),
            work: self.work,
            count,
            source: TimeSource::Host,
            samples,
        })
    }

    /// Time of a whole, of `count` that follow one over freshly placed inputs, on the slowest GPU;
    /// with all exchanges, or without any.
    fn sample(&mut self, count: u32, exchanges: bool) -> Result<f64, Failure> {
        self.pass.upload(self.device)?;
        self.wholes(0, 1, exchanges)?;
        self.greatest(0.0)?;
        let began = Instant::now();
        self.wholes(1, count, exchanges)?;
        Ok(self.greatest(began.elapsed().as_secs_f64() / f64::from(count))?)
    }

    /// How many wholes fill a sample if one takes so long, s.
    fn wholes_in_a_sample(&self, seconds: f64) -> u32 {
        let wholes = (self.request.sample_seconds / seconds.max(1e-9)).ceil();
        wholes.clamp(1.0, MOST_WHOLES) as u32
    }

    /// Launches by the clock, of one rank after the other, since they may share a GPU; what the launches do not hide of the
    /// exchanges by the model of the link.
    fn predicted(&mut self, link: Link) -> Result<Timed, Failure> {
        self.pass.upload(self.device)?;
        let (mut samples, mut count) = (Vec::new(), 1);
        let mut exposed = 0.0;
        for rank in 0..self.group.size() {
            if rank == self.group.rank() {
                let trial = self.apart(1)?;
                count = self.wholes_in_a_sample(trial);
                for _ in 0..self.request.samples.max(1) {
                    samples.push(self.apart(count)?);
                }
                let mut imagined = Imagined::new(&*self.group, link);
                self.pass.wholes(self.device, &mut imagined, 0, 1)?;
                exposed = imagined.exposed_seconds();
            }
            // The next one's turn.
            self.greatest(0.0)?;
        }
        let own = median(&samples).unwrap_or_default();
        let launches_seconds = self.greatest(own)?;
        let seconds = self.greatest(own + exposed)?;
        Ok(Timed {
            seconds,
            interval: None,
            spread: None,
            launches_seconds,
            work: self.work,
            count,
            source: TimeSource::Model,
            samples: vec![seconds],
        })
    }

    /// The time of a whole's launches on this GPU alone, of `count` of them, s.
    fn apart(&mut self, count: u32) -> Result<f64, Error> {
        self.wholes(0, 1, false)?;
        let began = Instant::now();
        self.wholes(1, count, false)?;
        Ok(began.elapsed().as_secs_f64() / f64::from(count))
    }

    /// Runs `count` wholes from the `first` on and waits for them.
    fn wholes(&mut self, first: u32, count: u32, exchanges: bool) -> Result<(), Error> {
        match exchanges {
            true => self.pass.wholes(self.device, self.group, first, count)?,
            false => self.pass.wholes_apart(self.device, first, count)?,
        }
        self.device.synchronize()
    }

    /// What the model says of one whole's launches; it knows nothing of exchanges.
    fn modelled(&mut self) -> Result<Timed, Failure> {
        self.pass.upload(self.device)?;
        let Point { pass, group, .. } = self;
        let own = self.device.time(&mut |device| pass.wholes(device, *group, 0, 1))?.seconds;
        let seconds = self.greatest(own)?;
        Ok(Timed {
            seconds,
            interval: None,
            spread: None,
            launches_seconds: seconds,
            work: self.work,
            count: 1,
            source: TimeSource::Model,
            samples: vec![seconds],
        })
    }

    /// The greatest of the numbers that all GPUs give; they go on together.
    fn greatest(&mut self, own: f64) -> Result<f64, Error> {
        let Point { device, group, exchange, .. } = self;
        let mut all = own.to_le_bytes().repeat(group.size());
        device.upload(exchange, &all)?;
        group.all_gather(*device, exchange)?;
        group.wait(*device, exchange)?;
        device.synchronize()?;
        device.download(exchange, &mut all)?;
        let numbers = all.chunks_exact(size_of::<f64>());
        let numbers = numbers.map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        Ok(numbers.fold(f64::NEG_INFINITY, f64::max))
    }
}
