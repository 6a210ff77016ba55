//! A step whose time steps are all made by one launch, in which blocks wait for each other.

use device::{CodeRoute, Error, SimulatorDevice, described};
use ladder::Launch;
use nbody::{Host, Run, SEED, Simulation, State, Step, plummer};

use super::kernels;

/// The step, which starts its time steps in this way.
fn step(run: Option<Run>) -> Step {
    let step = super::step("13x-one-launch");
    Step { host: Host { run: run.unwrap_or(step.host.run), ..step.host }, ..step }
}

/// What some time steps make of `n` bodies, on the simulator of a GPU.
fn after(step: &Step, gpu: &str, n: usize, time_steps: u32) -> Result<State, Error> {
    let gpu = described(gpu).expect("a GPU that is known");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let device: &mut dyn device::Device = &mut device;
    let mut module = device.load(&step.source(&kernels())?)?;
    let bodies = plummer(n, SEED);
    let simulation = Simulation::new(device, step, &mut module, &bodies)?;
    simulation.run(device, time_steps)?;
    simulation.force(device, time_steps)?;
    simulation.download(device)
}

#[test]
fn it_leaves_the_bits_that_a_launch_for_each_part_leaves() {
    let apart = step(Some(Run::Launches));
    // More bodies than warps that run at once, fewer, and one.
    for (gpu, n) in [("h200", 1), ("h200", 77), ("h200", 1000), ("gtx-750-ti", 1000)] {
        let together = after(&step(None), gpu, n, 3).expect("a run");
        assert_eq!(together, after(&apart, gpu, n, 3).expect("a run"), "{gpu}, {n}");
    }
}

#[test]
fn no_time_step_is_none() {
    let bodies = after(&step(None), "h200", 33, 0).expect("a run").bodies;
    assert_eq!(bodies, plummer(33, SEED));
}

#[test]
fn blocks_that_cannot_all_run_at_once_are_refused() {
    let run = Run::OneLaunch(|_| Launch::row("run", 1000, 1024));
    let error = after(&step(Some(run)), "h200", 100, 1).unwrap_err();
    assert!(matches!(error, Error::NotTogether { .. }), "{error}");
    assert!(error.to_string().contains("1000 blocks of 1024 threads"), "{error}");
}
