//! One pass on the simulator, through the step's own host code, watched.

use device::{Device, Error, Profile, Ptx, SimulatorDevice, Source, Watching};

use crate::Step;
use crate::ladder::OpenProblem;
use crate::problem::Input;

/// What was seen of a pass.
#[derive(Debug)]
pub struct Watched {
    /// What the simulator saw of its launches, in their order; there is at least one.
    pub profiles: Vec<Profile>,
    /// The modelled time of the pass, s.
    pub seconds: f64,
    /// The code that ran, as messages name it.
    pub code: String,
    /// Its PTX.
    pub ptx: Ptx,
}

/// Runs a pass of `step` over `input` on `device`, which from here on watches for `watching`.
///
/// # Errors
/// Code that cannot be found or run here, or a fault of it.
pub fn watch(
    device: &mut SimulatorDevice,
    watching: Watching,
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    input: Input,
) -> Result<Watched, Error> {
    let mut module = device.load(source)?;
    let code = module.code().to_owned();
    let ptx = device.ptx(&module)?.clone();
    let mut pass = open.place(device, step, &mut module, input)?;
    device.watch(Watching::default()); // an upload may launch kernels of its own, which need all their blocks
    pass.upload(device)?;
    device.watch(watching);
    let seconds = device.time(&mut |device| pass.run(device))?.seconds;
    let profiles = device.take_profiles();
    if profiles.is_empty() {
        return Err(Error::Fault(format!("{}: a pass that launches nothing", source.file)));
    }
    Ok(Watched { profiles, seconds, code, ptx })
}

/// The launch that took the most time, as it is modelled, by its place; the first of equal ones.
pub fn longest(profiles: &[Profile]) -> usize {
    let seconds = |place: usize| profiles[place].estimate.seconds;
    (0..profiles.len())
        .reduce(|best, place| if seconds(place) > seconds(best) { place } else { best })
        .unwrap_or(0)
}

/// The launches of a pass as they are when it is repeated: the L2 cache still holds what it touched before, if all of that
/// fits. The launches that were watched touch `1 / times` of it.
pub fn repeated(profiles: Vec<Profile>, times: f64) -> Vec<Profile> {
    let touched: u64 = profiles.iter().map(Profile::touched_bytes).sum();
    let fits = |profile: &Profile| touched as f64 * times <= profile.gpu.chip.l2_bytes.value;
    if profiles.iter().all(fits) {
        profiles.into_iter().map(Profile::warmed).collect()
    } else {
        profiles
    }
}
