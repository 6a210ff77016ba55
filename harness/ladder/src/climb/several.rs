//! A reader's kernels of a step that divides its work over several GPUs: simulated ones verify them,
//! whatever the run's device is.

use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Error, Member, Source};
use report::Variant;

use super::{Climb, Stop};
use crate::judge::Wrong;
use crate::ladder::Open;
use crate::verify::{Failure, verify_shared};
use crate::{Progress, Step};

/// Numbers of GPUs: an even one and an odd one.
const GPUS: [usize; 2] = [2, 3];

/// How long a GPU waits for another. They do the same at the same time; one that waits longer waits
/// for one that failed.
const PATIENCE: Duration = Duration::from_secs(20);

impl Climb<'_> {
    /// Verifies a step on several simulated GPUs, and says so in words for its row.
    pub(super) fn verify_on_several(
        &self,
        step: &Step,
        variant: &Variant,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<String, Stop> {
        let source = self.source(step, variant)?;
        let route: CodeRoute = self.request.code.parse()?;
        let open = Mutex::new(self.ladder.open(&self.request).map_err(Stop::Reason)?);
        for size in GPUS {
            let folder = tempfile::tempdir().map_err(|error| {
                Stop::Reason(format!(
                    "no folder could be made in which simulated GPUs meet: {error}; set TMPDIR to one \
                     that can be written to"
                ))
            })?;
            let group =
                Simulated { size, folder: folder.path(), model: &self.request.model, route };
            group.verify(&open, step, &source, progress).map_err(|it| on_several(it, size))?;
        }
        let [few, more] = GPUS;
        Ok(format!("verified on 1, {few} and {more} simulated GPUs; its time is that of one"))
    }
}

/// Simulated GPUs, each in a thread.
struct Simulated<'s> {
    size: usize,
    /// Where they meet.
    folder: &'s Path,
    model: &'s str,
    route: CodeRoute,
}

impl Simulated<'_> {
    fn verify(
        &self,
        open: &Mutex<Box<dyn Open>>,
        step: &Step,
        source: &Source,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(), Failure> {
        let (sender, heard) = mpsc::channel();
        let ended: Vec<Result<(), Failure>> = thread::scope(|scope| {
            let ranks: Vec<_> = (0..self.size)
                .map(|rank| {
                    let sender = sender.clone();
                    // All do the same: the first is heard. No one hears it after the end.
                    let mut tell = move |now| {
                        if rank == 0 {
                            let _ = sender.send(now);
                        }
                    };
                    scope.spawn(move || self.rank(rank, open, step, source, &mut tell))
                })
                .collect();
            drop(sender);
            heard.into_iter().for_each(&mut *progress);
            let end = |rank: thread::ScopedJoinHandle<_>| {
                rank.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            ranks.into_iter().map(end).collect()
        });
        let mut failures: Vec<Failure> = ended.into_iter().filter_map(Result::err).collect();
        // Those that only waited for another in vain say nothing of the step.
        failures.sort_by_key(|failure| matches!(failure, Failure::Device(Error::Group { .. })));
        failures.into_iter().next().map_or(Ok(()), Err)
    }

    fn rank(
        &self,
        rank: usize,
        open: &Mutex<Box<dyn Open>>,
        step: &Step,
        source: &Source,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<(), Failure> {
        let (size, folder) = (self.size, self.folder.to_path_buf());
        let mut device = device::open(Choice::Simt, self.route, self.model)?;
        let mut group = device.join(&Member { rank, size, folder, patience: PATIENCE })?;
        let mut module = device.load(source)?;
        verify_shared(&mut *device, &mut *group, open, step, &mut module, tell).map(drop)
    }
}

/// The failure, with the number of GPUs in its words.
fn on_several(failure: Failure, gpus: usize) -> Stop {
    Stop::Failure(match failure {
        Failure::Wrong(Wrong::Mismatch(mut mismatch)) => {
            mismatch.quantity = format!("on {gpus} GPUs: {}", mismatch.quantity);
            Failure::Wrong(Wrong::Mismatch(mismatch))
        }
        Failure::Wrong(Wrong::Other { n, what }) => {
            Failure::Wrong(Wrong::Other { n, what: format!("on {gpus} GPUs: {what}") })
        }
        Failure::Device(Error::Fault(what)) => {
            Failure::Device(Error::Fault(format!("on {gpus} GPUs: {what}")))
        }
        other => other,
    })
}
