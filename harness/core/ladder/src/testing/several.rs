//! Steps that divide their work over several GPUs, on simulated ones.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Member};
use report::{Extra, Request};
use simt::{Coverage, Gaps};

use super::excuse::{Excuse, Found};
use crate::verify::{Verification, verify_shared};
use crate::{Ladder, Step, workspace};

/// Verifies a step on simulated GPUs, as many as each of `sizes` says, each GPU in a thread of its own. Returns what the
/// problem says of the results on each of them, and which code ran on none.
///
/// # Panics
/// The step is wrong.
pub fn verified_on(ladder: &dyn Ladder, step: &Step, sizes: &[usize]) -> (Vec<Extra>, Vec<Gaps>) {
    let all = sizes.iter().flat_map(|&size| verified_on_each(ladder, step, size));
    let all = all.reduce(|(mut extras, mut coverage), (more, other)| {
        extras.extend(more);
        coverage.merge(&other);
        (extras, coverage)
    });
    let (extras, coverage) = all.expect("GPUs");
    (extras, coverage.gaps())
}

/// Fails unless each part of a step's code that was not verified has an excuse.
///
/// # Panics
/// One has none, or an excuse is not needed.
pub fn expect_excused(step: &Step, gaps: &[Gaps], excuses: &[Excuse]) {
    let mut found = Found::default();
    found.add(step.name, gaps);
    found.expect_excused(excuses);
}

fn verified_on_each(ladder: &dyn Ladder, step: &Step, size: usize) -> Vec<(Vec<Extra>, Coverage)> {
    let kernels = workspace::root().expect("the workspace").join("kernels").join(ladder.name());
    let source = step.source(&kernels).expect("its code");
    let open = Mutex::new(ladder.open(&Request::default()).expect("a problem"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let one = |rank: usize| {
        let folder = folder.path().to_path_buf();
        let member =
            Member { rank, size, folder, patience: Duration::from_secs(120), through_files: true };
        let device = device::open(Choice::Simt, CodeRoute::Committed, "h200");
        let mut device = device.expect("a simulated GPU");
        let mut group = device.join(&member).expect("the other GPUs");
        let mut module = device.load(&source).expect("its PTX");
        let how = Verification::covered();
        let verified =
            verify_shared(&mut *device, &mut *group, &open, step, &mut module, &how, &mut |_| {});
        let extras = verified
            .unwrap_or_else(|failure| panic!("{} on GPU {rank} of {size}: {failure}", step.name));
        (extras, device.coverage(&module).expect("the simulator notes it"))
    };
    thread::scope(|scope| {
        let one = &one;
        let ranks: Vec<_> = (0..size).map(|rank| scope.spawn(move || one(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("a right step")).collect()
    })
}
