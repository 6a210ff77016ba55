//! One force evaluation on the simulator, through the step's own host code, watched.

use device::{Device, Error, Profile, Ptx, SimulatorDevice, Source, Watching};

use crate::Step;
use crate::nbody::{Bodies, Simulation};

/// What was seen of a force evaluation.
#[derive(Debug)]
pub struct Watched {
    /// What the simulator saw.
    pub profile: Profile,
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
    let launched = device.take_profiles().pop();
    let profile = launched
        .ok_or_else(|| Error::Fault(format!("{}: `force` launched nothing", source.file)))?;
    Ok(Watched { profile, code, ptx })
}
