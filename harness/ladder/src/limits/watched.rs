//! One force evaluation on the simulator, through the step's own host code, watched.

use device::{Device, Error, Profile, Ptx, SimulatorDevice, Source, Watching};

use crate::Step;
use crate::nbody::{Bodies, Simulation};

/// What was seen of a force evaluation.
#[derive(Debug)]
pub struct Watched {
    /// What the simulator saw of its launches, in their order; there is at least one.
    pub profiles: Vec<Profile>,
    /// The code that ran, as messages name it.
    pub code: String,
    /// Its PTX.
    pub ptx: Ptx,
}

/// Runs the force evaluation number `time_step` of `step` over `bodies` on `device`, which from
/// here on watches for `watching`.
///
/// # Errors
/// Code that cannot be had or run here, or a fault of it.
pub fn watch(
    device: &mut SimulatorDevice,
    watching: Watching,
    step: &Step,
    source: &Source,
    bodies: &Bodies,
    time_step: u32,
) -> Result<Watched, Error> {
    let mut module = device.load(source)?;
    let code = module.code().to_owned();
    let ptx = device.ptx(&module)?.clone();
    let simulation = Simulation::new(device, step, &mut module, bodies)?;
    device.watch(watching);
    simulation.force(device, time_step)?;
    let profiles = device.take_profiles();
    if profiles.is_empty() {
        let what = format!("{}: a force evaluation that launches nothing", source.file);
        return Err(Error::Fault(what));
    }
    Ok(Watched { profiles, code, ptx })
}

/// The launch that took the most time, as it is modelled, by its place; the first of equal ones.
pub fn longest(profiles: &[Profile]) -> usize {
    let seconds = |place: usize| profiles[place].estimate.seconds;
    (0..profiles.len())
        .reduce(|best, place| if seconds(place) > seconds(best) { place } else { best })
        .unwrap_or(0)
}

impl Watched {
    /// What was seen of the launch that took the most time.
    pub fn into_longest(mut self) -> Profile {
        self.profiles.swap_remove(longest(&self.profiles))
    }
}
