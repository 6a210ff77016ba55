//! A reader's kernels of a step that divides its work over several GPUs: simulated ones verify them,
//! whatever the run's device is.

use std::fs;
use std::io;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use device::{Choice, CodeRoute, Device, Error, Member, Source};
use report::Variant;

use super::{LadderRun, Stop};
use crate::judge::Mismatch;
use crate::ladder::OpenProblem;
use crate::verify::{Failure, Verification, verify_shared};
use crate::{Progress, Step};

/// Numbers of GPUs: an even one and an odd one.
const GPUS: [usize; 2] = [2, 3];

/// How long a GPU waits for another. They do the same at the same time; one that waits longer waits
/// for one that failed.
const PATIENCE: Duration = Duration::from_secs(20);

impl LadderRun<'_> {
    /// Verifies a step on several simulated GPUs, and says so in words for its row.
    pub(super) fn verify_on_several(
        &self,
        step: &Step,
        variant: &Variant,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<String, Stop> {
        let source = self.source(step, variant)?;
        let route: CodeRoute = self.request.code.parse()?;
        let open = Mutex::new(
            self.ladder.open(&self.request).map_err(|error| Stop::Reason(error.to_string()))?,
        );
        let model = self.request.model.as_str();
        let device = || device::open(Choice::Simt, route, model);
        for gpus in GPUS {
            verify_on_simulated((gpus, PATIENCE), &device, &open, (step, &source), progress)
                .map_err(|failure| on_several(failure, gpus))?;
        }
        let [few, more] = GPUS;
        Ok(format!("verified on 1, {few} and {more} simulated GPUs; its time is that of one"))
    }
}

/// Verifies a step on so many simulated GPUs, which `device` opens, each in a thread of its own; each
/// waits so long for another, and the first tells how far they are.
///
/// # Errors
/// The first [`Failure`] that is no other's.
pub fn verify_on_simulated(
    (gpus, patience): (usize, Duration),
    device: &(dyn Fn() -> Result<Box<dyn Device>, Error> + Sync),
    open: &Mutex<Box<dyn OpenProblem>>,
    (step, source): (&Step, &Source),
    progress: &mut dyn FnMut(Progress),
) -> Result<(), Failure> {
    let no_folder = |error: io::Error| Error::Group {
        doing: "making the rendezvous folder (TMPDIR chooses its place)".to_owned(),
        message: error.to_string(),
    };
    let folder = tempfile::tempdir().map_err(no_folder)?;
    let meeting = folder.path().join("meeting");
    fs::create_dir(&meeting).map_err(no_folder)?;
    let one = |rank: usize, tell: &mut dyn FnMut(Progress)| -> Result<(), Failure> {
        let mut device = device()?;
        let member =
            Member { rank, size: gpus, folder: meeting.clone(), patience, through_files: false };
        let mut group = device.join(&member)?;
        let mut module = device.load(source)?;
        let how = Verification::default();
        let verified =
            verify_shared(&mut *device, &mut *group, open, step, &mut module, &how, tell);
        if verified.is_err() {
            // The others would wait for its files: where there is no folder, they know at once.
            let _ = fs::rename(&meeting, folder.path().join("left"));
            let _ = fs::write(&meeting, "");
        }
        verified.map(drop)
    };
    thread::scope(|scope| {
        let one = &one;
        let (sender, heard) = mpsc::channel();
        let spawn = |rank: usize| {
            let sender = (rank == 0).then(|| sender.clone());
            // Nobody hears it after the end.
            let mut tell = move |now| {
                let _ = sender.as_ref().map(|it| it.send(now));
            };
            scope.spawn(move || one(rank, &mut tell))
        };
        let ranks: Vec<_> = (0..gpus).map(spawn).collect();
        drop(sender);
        heard.into_iter().for_each(&mut *progress);
        let ended = ranks
            .into_iter()
            .map(|rank| rank.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut failures: Vec<Failure> = ended.filter_map(Result::err).collect();
        // Those that waited for one that failed say nothing of why.
        failures.sort_by_key(|it| matches!(it, Failure::Device(Error::Group { .. })));
        failures.into_iter().next().map_or(Ok(()), Err)
    })
}

/// The failure, with the number of GPUs in its words.
fn on_several(failure: Failure, gpus: usize) -> Stop {
    Stop::Failure(match failure {
        Failure::Wrong(Mismatch::Values(mut mismatch)) => {
            mismatch.quantity = format!("on {gpus} GPUs: {}", mismatch.quantity);
            Failure::Wrong(Mismatch::Values(mismatch))
        }
        Failure::Wrong(Mismatch::Other { n, what }) => {
            Failure::Wrong(Mismatch::Other { n, what: format!("on {gpus} GPUs: {what}") })
        }
        Failure::Device(what @ (Error::Fault(_) | Error::Kernel { .. })) => {
            Failure::Device(Error::Fault(format!("on {gpus} GPUs: {what}")))
        }
        other => other,
    })
}
