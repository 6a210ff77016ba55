//! A reader's kernel against the step's own: how many times as fast, as the time model has it, and which events changed.

use std::path::PathBuf;

use anyhow::Result;
use device::{CodeRoute, Device, SimulatorDevice, Source};
use ladder::limits::count;
use ladder::{Ladder, Step};
use simt::model::Gpu;

use crate::explain::running::{self, Side, Task};
use crate::explain::text::Comparison;
use crate::explain::verdict;

/// Which kernel takes the place of which.
pub struct Subject {
    /// The ladder of the step.
    pub ladder: &'static dyn Ladder,
    /// The step whose place the kernel takes.
    pub step: Step,
    /// The reader's.
    pub file: PathBuf,
    /// The folder of the ladder's kernels.
    pub kernels: PathBuf,
    /// The GPU that is modelled.
    pub gpu: Gpu,
}

/// What was counted of one of the two. No machine code is committed with a reader's kernel, so that of the step's own is
/// left aside, and that of a `.ptx` never known.
pub struct Counted {
    /// The events of a pass.
    side: Side,
    /// The size for which time is modelled, as in a run, and that time; none where it does not follow from counts.
    n: u64,
    seconds: Option<f64>,
}

impl Subject {
    /// The simulator with the GPU that is modelled.
    pub fn device(&self) -> SimulatorDevice {
        SimulatorDevice::open(CodeRoute::Auto, self.gpu.clone())
    }

    /// The reader's kernel.
    pub fn readers(&self) -> Result<Source, device::Error> {
        self.step.replaced(&self.file, &self.kernels)
    }

    /// The step's own.
    pub fn original(&self) -> Result<Source, device::Error> {
        self.step.source(&self.kernels)
    }

    /// Counts what a pass of one of them does.
    pub fn count(&self, source: &Source) -> Result<Counted> {
        let (ladder, step, kernels, gpu) = (self.ladder, &self.step, &*self.kernels, &self.gpu);
        let mut open = ladder.open_plain()?;
        let n = open.default_size(step, self.device().info());
        let run = &match self.file.extension().is_some_and(|ending| ending == "ptx") {
            true => source.as_ptx(),
            false => Source { machine: None, ..toolchain::comparable(source)? },
        };
        let seconds = count(&mut *open, step, run, gpu, n)?.seconds();
        let size = running::little_size(ladder, step, gpu)?;
        let file = (source.file == self.file.display().to_string()).then_some(&*self.file);
        let task = Task { ladder, step, file, kernels, size, gpu, timeline: false, whole: false };
        Ok(Counted { side: running::run_source(&task, source, run)?, n, seconds })
    }
}

/// The comparison in a few lines.
pub fn text(original: &Counted, readers: &Counted, width: usize) -> String {
    let (before, after) = (&original.side, &readers.side);
    let (n, times) = match original.seconds.zip(readers.seconds) {
        Some((own, new)) => (readers.n, own / new),
        None => (after.size, verdict::times(before, after)),
    };
    Comparison::new((before, after), None, &[]).brief((n, times), width)
}
