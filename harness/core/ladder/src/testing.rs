//! For the tests of ladders: a step on the simulator, as it is committed or with a mistake in it.

mod excuse;
mod lines;
mod mistake;
mod several;

use std::fs;
use std::panic::resume_unwind;
use std::thread;

use device::{CodeRoute, Device, Module, Scheduling, SimulatorDevice};
use report::{Extra, Outcome, Replacement, Request, Row, Timed, Variant};
use simt::model::Gpu;

use crate::limits::{WHOLE, model};
use crate::run::Prepared;
use crate::verify::{Failure, Inputs, Verification, Verified, verify};
use crate::{Ladder, LadderRun, OpenProblem, Step, workspace};
use excuse::Found;
use mistake::{Mistake, mistakes};

pub use excuse::{Excuse, Gap};
pub use several::{expect_excused, verified_on};

/// The tests that every ladder has: all its steps climb, as a check of [`testing`](self) with its arguments says, and the
/// mistakes of the `mistakes.txt` beside the source are found (see [`expect_found`]). Those that are not ignored take a part
/// of the inputs and of the mistakes, as all take minutes.
///
/// ```text
/// ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, &[]));
/// ```
#[macro_export]
macro_rules! tests {
    ($check:ident(&$ladder:path, $($rest:expr),+ $(,)?)) => {
        #[test]
        fn every_step_climbs() {
            $crate::testing::$check(&$ladder, $crate::verify::Inputs::Small, $($rest),+);
        }

        #[test]
        #[ignore = "every_step_climbs with all inputs"]
        fn every_step_climbs_with_all_inputs() {
            $crate::testing::$check(&$ladder, $crate::verify::Inputs::All, $($rest),+);
        }

        $crate::tests!(&$ladder);
    };
    (&$ladder:path) => {
        #[test]
        fn broken_kernels_are_found() {
            $crate::testing::expect_some_found(&$ladder, include_str!("mistakes.txt"));
        }

        #[test]
        #[ignore = "broken_kernels_are_found with all mistakes"]
        fn all_broken_kernels_are_found() {
            $crate::testing::expect_found(&$ladder, include_str!("mistakes.txt"));
        }
    };
}

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
    row_of(&mut run, &step, scheduling)
}

/// The row of a step in a run over its ladder.
fn row_of(run: &mut LadderRun, step: &Step, scheduling: Scheduling) -> Row {
    let mut device = simulated_gpu();
    device.schedule(scheduling);
    match run.prepare(step, &Variant::default(), &mut device, &mut |_| {}) {
        Prepared::Row(row) => *row,
        Prepared::Ready(_) => panic!("the simulator's times are modelled"),
    }
}

fn simulated_gpu() -> SimulatorDevice {
    SimulatorDevice::open(CodeRoute::Committed, Gpu::named("h200").expect("a known GPU"))
}

/// What `one` says of each step, on as many threads as there are cores; with it goes what `open` makes for the steps of one
/// thread, as what is expected of the results is computed once for all of them. None of Rayon's threads: a step waits for counts
/// that are made with them.
fn of_each<S, R: Send>(
    steps: &[Step],
    open: impl Fn() -> S + Sync,
    one: impl Fn(&mut S, &Step) -> R + Sync,
) -> Vec<R> {
    let threads = rayon::current_num_threads();
    let some = |first: usize| {
        let mut opened = open();
        let each = steps.iter().enumerate().skip(first).step_by(threads);
        each.map(|(place, step)| (place, one(&mut opened, step))).collect::<Vec<_>>()
    };
    let some = &some;
    let mut all = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(move || some(first))).collect();
        let found =
            threads.into_iter().map(|it| it.join().unwrap_or_else(|why| resume_unwind(why)));
        found.flatten().collect::<Vec<(usize, R)>>()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, found)| found).collect()
}

/// Verifies a kernel in the place of a step as a step's own is, and tells nobody of its progress.
///
/// # Errors
/// The first [`Failure`].
pub fn verify_silently(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    module: &mut Module,
) -> Result<Verified, Failure> {
    verify(device, open, step, module, &Verification::default(), &mut |_| {})
}

/// The time of a pass of size `n` of a step as the model has it on an H200, s.
///
/// # Panics
/// There is no such step, or it cannot be modelled.
pub fn modelled_seconds(ladder: &dyn Ladder, step: &str, n: u64) -> f64 {
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let step = ladder.step(step).expect("a step of the ladder");
    let source = step.source(&kernels).expect("its kernel");
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let gpu = Gpu::named("h200").expect("a known GPU");
    model(&mut *open, &step, &source, &gpu, n).expect("a time").seconds
}

/// The rows of all steps at size `n`, each as [`simulate`] makes it. Code that their verification with all inputs does not
/// execute needs an excuse.
///
/// # Panics
/// A step is not simulated, some of its code is not executed, or an excuse is not needed any more.
pub fn simulated(ladder: &dyn Ladder, inputs: Inputs, n: u64, excuses: &[Excuse]) -> Vec<Row> {
    let request = || Request { size: Some(n), ..Request::default() };
    let open = || {
        let mut run = LadderRun::new(ladder, request()).expect("a run of the ladder");
        match inputs {
            Inputs::All => run.note_gaps(),
            part => run.verify_with(part),
        }
        run
    };
    let one = |run: &mut LadderRun, step: &Step| {
        let row = row_of(run, step, Scheduling::default());
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        (row, run.gaps().to_vec())
    };
    let all = of_each(&ladder.steps(), open, one);
    if inputs == Inputs::All {
        let mut found = Found::default();
        all.iter().for_each(|(row, gaps)| found.add(&row.step, gaps));
        found.expect_excused(excuses);
    }
    all.into_iter().map(|(row, _)| row).collect()
}

/// Fails unless every step is simulated, its results are exact, all of its code but for the excuses is executed, and it has
/// its time at size `n` with work `work`, if it is modelled.
///
/// # Panics
/// A step is not.
pub fn expect_exact(ladder: &dyn Ladder, inputs: Inputs, n: u64, work: f64, excuses: &[Excuse]) {
    for (step, timed) in timed(simulated(ladder, inputs, n, excuses), n, work) {
        assert_eq!(timed.accuracy.rms, Some(0.0), "{step}");
    }
}

/// Fails unless every step is simulated, its results are within their tolerance, all of its code but for the excuses is
/// executed, and it has its time at size `n` with work `work`, if it is modelled.
///
/// # Panics
/// A step is not.
pub fn expect_simulated(
    ladder: &dyn Ladder,
    inputs: Inputs,
    n: u64,
    work: f64,
    excuses: &[Excuse],
) {
    timed(simulated(ladder, inputs, n, excuses), n, work);
}

/// What was timed of the steps that are modelled, at size `n` with work `work`.
fn timed(rows: Vec<Row>, n: u64, work: f64) -> Vec<(String, Timed)> {
    let modelled = rows.into_iter().filter(|row| row.not_modelled.is_none());
    let timed = modelled.map(|row| {
        let timed = row.main().expect("timed").clone();
        assert_eq!(
            (timed.n, timed.work),
            (n, work),
            "{}: its size and what `work` counts for it, and what the test states",
            row.step
        );
        (row.step, timed)
    });
    timed.collect()
}

/// What the problem says of the results of each step that one GPU can run, verified from its committed PTX. Code that no
/// verification executes needs an excuse.
///
/// # Panics
/// A step is wrong, some of its code is not executed, or an excuse is not needed any more.
pub fn verified(ladder: &dyn Ladder, excuses: &[Excuse]) -> Vec<(&'static str, Vec<Extra>)> {
    let steps = ladder.steps().into_iter().filter(|step| step.elsewhere.is_none());
    let (extras, found) = verify_each(ladder, &steps.collect::<Vec<_>>(), Verification::covered());
    found.expect_excused(excuses);
    extras
}

/// What the problem says of the results of some steps, verified with a part of the inputs.
///
/// # Panics
/// There is no such step, or it is wrong.
pub fn verified_some(ladder: &dyn Ladder, steps: &[&str]) -> Vec<(&'static str, Vec<Extra>)> {
    let steps = steps.iter().map(|name| ladder.step(name).expect("a step of the ladder"));
    let how = Verification { inputs: Inputs::Small, ..Verification::default() };
    verify_each(ladder, &steps.collect::<Vec<_>>(), how).0
}

/// What the problem says of each step, and what their verification leaves out.
fn verify_each(
    ladder: &dyn Ladder,
    steps: &[Step],
    how: Verification,
) -> (Vec<(&'static str, Vec<Extra>)>, Found) {
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let one = |open: &mut Box<dyn OpenProblem>, step: &Step| {
        let mut device = simulated_gpu();
        let source = step.source(&kernels).expect("its code");
        let module = device.load(&source);
        let mut module = module.unwrap_or_else(|error| panic!("{}: {error}", step.name));
        let verified = verify(&mut device, &mut **open, step, &mut module, &how, &mut |_| {});
        let verified = verified.unwrap_or_else(|failure| panic!("{}: {failure}", step.name));
        (step.name, verified)
    };
    let open = || ladder.open(&Request::default()).expect("a problem");
    let all: Vec<(&str, Verified)> = of_each(steps, open, one);
    let mut found = Found::default();
    all.iter().for_each(|(step, verified)| found.add(step, &verified.gaps));
    (all.into_iter().map(|(step, verified)| (step, verified.extras)).collect(), found)
}

/// The largest size at which steps with mistakes would be timed.
const FOUND_AT: u64 = 5000;

/// A size that is not modelled by counts: what is wrong is found before.
fn small_size(ladder: &dyn Ladder, step: &str) -> u64 {
    let step = ladder.step(step).expect("a step of the ladder");
    let open = ladder.open(&Request::default()).expect("a problem");
    let gpu = Gpu::named("h200").expect("a known GPU");
    let device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    if !open.is_counted_by_few_blocks() {
        return WHOLE + 1;
    }
    let n = open.default_size(&step, device.info());
    open.simulated_size(&step, n).min(FOUND_AT)
}

/// How many mistakes of a ladder are made where not all are.
const FEW: usize = 4;

/// As [`expect_found`], of a few mistakes from all over the table.
///
/// # Panics
/// One of them is not found, or there is no such text to make it in.
pub fn expect_some_found(ladder: &dyn Ladder, table: &str) {
    let all: Vec<Mistake> = mistakes(table).collect();
    let every = all.len().div_ceil(FEW).max(1);
    expect_each(ladder, all.iter().step_by(every));
}

/// Fails unless each mistake of a table is found, for the reason it gives, and nothing wrong is timed.
///
/// A line is a mistake, with four cells between ` :: `, or begins with `#`:
///
/// 1. the step;
/// 2. text of the source line whose instructions are changed, or of it and those before it, with `\n` between them;
/// 3. what becomes of all its instructions that it fits: `off by one` (`<` becomes `<=`) or `negated` (`==` becomes `!=`) of
///    comparisons, `without bar` of the instructions of a name, `shl.b32 $0, $1, 5 => shl.b32 $0, $1, 4` of those of a form,
///    in which `$0` and the like stand for operands. What follows a name or a form in an instruction stays;
/// 4. the outcome of the row, and words of its reason: `failed: race`, `wrong: element 256`.
///
/// # Panics
/// A mistake is not found, or there is no such text to make it in.
pub fn expect_found(ladder: &dyn Ladder, table: &str) {
    expect_each(ladder, mistakes(table).collect::<Vec<_>>().iter());
}

/// Panics with what is wrong with all mistakes.
fn expect_each<'m>(ladder: &dyn Ladder, mistakes: impl Iterator<Item = &'m Mistake>) {
    let wrong: Vec<String> = mistakes.filter_map(|it| unfound(ladder, it)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a mistake: it is not found, or not for its reason, or there is no such text to make it in.
fn unfound(ladder: &dyn Ladder, mistake: &Mistake) -> Option<String> {
    let Mistake { step, outcome, reason, .. } = mistake;
    let ptx = match mistake.ptx(ladder.name()) {
        Ok(ptx) => ptx,
        Err(why) => return Some(format!("{mistake}\n  cannot be made: {why}")),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mistake.ptx");
    fs::write(&file, ptx).expect("written");
    let replacement = Some(Replacement { file, step: step.to_owned() });
    // Of further GPUs, which a divided step opens.
    let (code, model) = (CodeRoute::Committed.to_string(), "h200".to_owned());
    let size = Some(small_size(ladder, step));
    let row =
        simulate(ladder, step, Request { replacement, size, code, model, ..Request::default() });
    let found = row.reason.unwrap_or_default();
    let is_as_expected = row.outcome == *outcome && found.contains(reason.as_str());
    (!is_as_expected || row.timed.is_empty() == outcome.is_verified())
        .then(|| format!("{mistake}\n  is {:?}: {found}", row.outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::LADDER;

    /// Steps wait for counts that need Rayon's threads: on these themselves they would wait for ever.
    #[test]
    fn steps_are_on_none_of_the_threads_that_count() {
        let steps = [LADDER.steps()[0]; 5];
        let threads = of_each(&steps, || 0, |_, _| rayon::current_thread_index());
        assert_eq!(threads, [None; 5]);
    }
}
