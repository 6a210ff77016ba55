//! Launches, run to their end, and those whose blocks communicate in other orders as well.

use anyhow::Result;
use device::{CodeRoute, Device, Scheduling, Simulation, SimulatorDevice, Source, Watching};
use simt::model::Gpu;
use ui::output::say;

use super::plan::Plan;
use super::results::Outcome;
use super::run;

/// Other orders of blocks that communicate in which launches run, where they are short.
const ORDERS: u64 = 8;

/// Warp instructions of all orders together, if that is more than one takes.
const SHORT: u64 = 1 << 20;

/// On what launches run.
pub struct Setting {
    /// The GPU whose hardware is modelled.
    pub gpu: Gpu,
    /// Which code is loaded.
    pub route: CodeRoute,
    /// How lanes that parted go on.
    pub scheduling: Scheduling,
    /// Whether to look for hazards.
    pub hazards: bool,
}

/// Runs what `plan` says of `source`.
///
/// # Errors
/// The code cannot be loaded, the plan does not suit it, or a launch was stopped.
pub fn outcome(setting: &Setting, source: &Source, plan: &Plan) -> Result<Outcome> {
    let open = || {
        let mut device = SimulatorDevice::open(setting.route, setting.gpu.clone());
        device.schedule(setting.scheduling);
        device
    };
    let mut device = open();
    let limit = Some(device::launch_limit()?);
    device.watch(Watching { hazards: setting.hazards, limit, ..Watching::default() });
    let mut outcome = run::run(&mut device, source, plan).inspect_err(|_| {
        // What a kernel printed before it was stopped often says why.
        let printed = device.take_printed().text;
        printed.lines().for_each(say);
    })?;
    if setting.hazards && outcome.facts.in_order.is_some() && outcome.is_good() {
        let orders = (SHORT / outcome.facts.total.warps.max(1)).clamp(1, ORDERS);
        for order in 1..=orders {
            let mut device = open();
            device.leave_machine_code_out();
            let how = Simulation { order, hazards: true, limit, ..Simulation::default() };
            if let Some(wrong) = run::run_in_order(&mut device, source, plan, how)? {
                outcome.facts.hazards.push(wrong);
                break;
            }
        }
    }
    Ok(outcome)
}
