//! For the tests of ladders: a step on the simulator, as it is committed or with a mistake in it.

use std::fs;

use device::{CodeRoute, Device, Scheduling, SimulatorDevice};
use report::{Outcome, Replacement, Request, Row, Timed, Variant};
use simt::model::Gpu;

use crate::limits::model;
use crate::run::Prepared;
use crate::{Ladder, LadderRun, Step, workspace};

/// The row of a step on the simulated H200, with its committed PTX and the scheduling of the request.
///
/// # Panics
/// The ladder cannot be climbed as the request says.
pub fn simulate(ladder: &dyn Ladder, step: &str, request: Request) -> Row {
    let step = ladder.step(step).expect("a step of the ladder");
    let scheduling = match request.scheduling.as_str() {
        "" => Scheduling::default(),
        name => name.parse().expect("a scheduling"),
    };
    let mut run = LadderRun::new(ladder, request).expect("a run of the ladder");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    device.schedule(scheduling);
    match run.prepare(&step, &Variant::default(), &mut device, &mut |_| {}) {
        Prepared::Row(row) => *row,
        Prepared::Ready(_) => panic!("the simulator's times are modelled"),
    }
}

/// The time of a pass of a step as the model has it on an H200, at the size of a run, s.
///
/// # Panics
/// There is no such step, or it cannot be modelled.
pub fn modelled_seconds(ladder: &dyn Ladder, step: &str) -> f64 {
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let step = ladder.step(step).expect("a step of the ladder");
    let source = step.source(&kernels).expect("its kernel");
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let device = SimulatorDevice::open(CodeRoute::Committed, gpu.clone());
    let n = open.default_size(&step, device.info());
    model(&mut *open, &step, &source, &gpu, n).expect("a time").seconds
}

/// Fails unless every step is simulated, its results are exact, and it has its time at size `n` with work `work`, if it is
/// modelled.
///
/// # Panics
/// A step is not.
pub fn expect_exact(ladder: &dyn Ladder, n: u64, work: f64) {
    for (step, timed) in simulated(ladder, n, work) {
        assert_eq!(timed.accuracy.rms, Some(0.0), "{step}");
    }
}

/// Fails unless every step is simulated, its results are within their tolerance, and it has its time at size `n` with work
/// `work`, if it is modelled.
///
/// # Panics
/// A step is not.
pub fn expect_simulated(ladder: &dyn Ladder, n: u64, work: f64) {
    simulated(ladder, n, work);
}

/// Runs every step, and what was timed of those that are modelled.
fn simulated(ladder: &dyn Ladder, n: u64, work: f64) -> Vec<(&'static str, Timed)> {
    let mut all = Vec::new();
    for step in ladder.steps() {
        let row = simulate(ladder, step.name, Request { size: Some(n), ..Request::default() });
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        if row.not_modelled.is_some() {
            continue;
        }
        let timed = row.main().expect("timed");
        assert_eq!((timed.n, timed.work), (n, work), "{}", step.name);
        all.push((step.name, timed.clone()));
    }
    all
}

/// A mistake in a step's committed PTX, and what must be found.
#[derive(Debug, Clone, Copy)]
pub struct Mistake {
    /// The step.
    pub step: &'static str,
    /// Text of the PTX; its first occurrence is replaced.
    pub from: &'static str,
    /// What it is replaced by.
    pub to: &'static str,
    /// What the row must say.
    pub outcome: Outcome,
    /// Words of the row's reason.
    pub reason: &'static str,
}

impl Mistake {
    /// One in a step of any ladder.
    pub fn of<H>(
        step: &Step<H>,
        from: &'static str,
        to: &'static str,
        outcome: Outcome,
        reason: &'static str,
    ) -> Mistake {
        Mistake { step: step.name, from, to, outcome, reason }
    }
}

/// The largest size at which steps with mistakes would be timed.
const FOUND_AT: u64 = 5000;

/// A size that is not modelled by counts: what is wrong is found before.
fn small_size(ladder: &dyn Ladder, step: &str) -> u64 {
    let step = ladder.step(step).expect("a step of the ladder");
    let open = ladder.open(&Request::default()).expect("a problem");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let n = open.default_size(&step, device.info());
    open.simulated_size(&step, n).min(FOUND_AT)
}

/// Fails unless each mistake is found, for the reason it gives, and nothing wrong is timed.
///
/// # Panics
/// A mistake is not found, or there is no such text to make it in.
pub fn expect_found(ladder: &dyn Ladder, mistakes: &[Mistake]) {
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mistake.ptx");
    for mistake in mistakes {
        let Mistake { step, from, to, outcome, reason } = *mistake;
        let ptx = fs::read_to_string(kernels.join(format!("{step}.ptx"))).expect("its PTX");
        assert!(ptx.contains(from), "{step}: no `{from}`");
        fs::write(&file, ptx.replacen(from, to, 1)).expect("written");
        let replacement = Some(Replacement { file: file.clone(), step: step.to_owned() });
        // Of further GPUs, which a divided step opens.
        let (code, model) = (CodeRoute::Committed.to_string(), "h200".to_owned());
        let size = Some(small_size(ladder, step));
        let request = Request { replacement, size, code, model, ..Request::default() };
        let row = simulate(ladder, step, request);
        let found = row.reason.unwrap_or_default();
        assert_eq!(row.outcome, outcome, "{mistake:?}: {found}");
        assert!(found.contains(reason), "{mistake:?}: {found}");
        assert_eq!(row.timed.is_empty(), !outcome.is_verified(), "{mistake:?}");
    }
}
