//! The modelled time of a pass, as a run on the simulator shows it.

use device::{CodeRoute, Device, Error, SimulatorDevice, Source, Watching};
use simt::model::Gpu;

use super::count::count;
use crate::Step;
use crate::ladder::OpenProblem;
use crate::problem::Input;

/// What the time model says of a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modelled {
    /// How long it takes, s.
    pub seconds: f64,
    /// The part of the chip that is busy longest; none where that was not counted.
    pub binding: Option<&'static str>,
}

/// Models a pass of `step` with the code of `source` on `gpu` at size `n`: from counts of smaller sizes, where the simulator
/// does not run that size itself.
///
/// # Errors
/// The code cannot run on the simulator, or the size is too large for what it must run as a whole.
pub fn model(
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Modelled, Error> {
    if open.is_host_program() {
        return Ok(Modelled {
            seconds: program_seconds(open, step, source, gpu, n)?,
            binding: None,
        });
    }
    if n <= open.simulated_size(step, n) {
        let seconds = pass_seconds(open, step, source, gpu, (Input::trial(n), None))?;
        return Ok(Modelled { seconds, binding: None });
    }
    let counted = count(open, step, source, gpu, n)?;
    let seconds = counted.seconds().ok_or_else(|| too_large(open, step, n))?;
    Ok(Modelled { seconds, binding: counted.binding() })
}

/// Why a size cannot be modelled of a step whose host's program decides what it launches.
pub(crate) fn too_large(open: &dyn OpenProblem, step: &Step, n: u64) -> Error {
    let size = &open.figure().size;
    Error::Skipped {
        reason: format!("{n} {size} are too many for the simulator"),
        remedy: format!("choose --size {}", open.simulated_size(step, n)),
    }
}

/// The modelled time of a pass of size `n` that is a host program, s: it is run as it is, but of each launch only the blocks
/// of one multiprocessor, where these can do without the others.
///
/// # Errors
/// Code that cannot be found or run here, or a fault of it.
pub fn program_seconds(
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<f64, Error> {
    let few = Watching { multiprocessors: Some(1), ..Watching::default() };
    pass_seconds(open, step, source, gpu, (Input::counted(n), Some(few)))
}

/// The modelled time of a pass over `input`, s, of which the launches are watched as `watching` says; else as a whole.
fn pass_seconds(
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    (input, watching): (Input, Option<Watching>),
) -> Result<f64, Error> {
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
    let mut module = device.load(source)?;
    let mut pass = open.place(&mut device, step, &mut module, input)?;
    pass.upload(&mut device)?;
    if let Some(watching) = watching {
        device.watch(watching);
    }
    Ok(device.time(&mut |device| pass.run(device))?.seconds)
}
