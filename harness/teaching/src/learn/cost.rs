//! What a reader's kernel costs on the model of a GPU: counted, so that it is the same on every machine.

use std::path::Path;

use anyhow::{Result, anyhow};
use device::Source;
use launches::explain::running::{self, Task};
use launches::facts::{Facts, ModelFacts};

use super::case::Case;
use super::exercise::{Exercise, OfStep};
use super::launch::Numbers;
use super::plan::SEED;
use super::trial::{Stop, Trials};

/// The modelled time of the launches of `file` at the size of the goals on the GPU called `gpu`. `ready` is called once all
/// files are read, before anything of the reader's is compiled.
///
/// # Errors
/// The kernel cannot be compiled or run, or there is no such GPU.
pub fn of(
    exercise: &Exercise,
    file: &Path,
    gpu: &str,
    ready: &mut dyn FnMut() -> Result<()>,
) -> Result<ModelFacts> {
    let gpu = &device::described(gpu)?;
    let Some(OfStep { ladder, to, .. }) = &exercise.step else {
        let source = Source::replacing(file, &[], exercise.shared())?;
        let numbers = Numbers::defined(source.cuda.as_deref().unwrap_or_default());
        ready()?;
        let case = Case::of_goals(exercise, SEED);
        let case = case.ok_or_else(|| anyhow!("{} has no sizes", exercise.name))?;
        let run = || -> Result<Facts, Stop> {
            Ok(Trials::load(exercise, source, gpu, numbers)?.run(&case)?.facts)
        };
        return run().map(|facts| facts.model).map_err(|stop| match stop {
            Stop::Kernel(error) => error.into(),
            Stop::Launch(why) => anyhow!(why),
            Stop::Exercise(error) => error,
        });
    };
    let ladder = ladders::ladder(ladder)?;
    let step = &ladders::step(ladder, to)?;
    let kernels = &*ladder.kernels()?;
    let source = step.replaced(file, kernels)?;
    let size = match exercise.sizes.last() {
        Some(size) => *size,
        None => running::little_size(ladder, step, gpu)?,
    };
    ready()?;
    let task = Task { ladder, step, file: None, kernels, size, gpu, timeline: false, whole: false };
    Ok(running::run_source(&task, &source, &source)?.facts.model)
}
