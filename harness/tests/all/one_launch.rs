//! A step whose time steps are all made by one launch, in which blocks wait for each other.

use device::{CodeRoute, Error, SimulatorDevice, described};
use harness::ladders::LADDERS;
use ladder::nbody::{SEED, Simulation, State, plummer};
use ladder::{Launch, Run, Step, workspace};

fn step() -> Step {
    *LADDERS[0].step("13x-one-launch").expect("a step of the ladder")
}

/// What some time steps make of `n` bodies, on the simulator of a GPU.
fn after(step: &Step, gpu: &str, n: usize, time_steps: u32) -> Result<State, Error> {
    let gpu = described(gpu).expect("a GPU that is known");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let kernels = workspace::root().expect("the workspace").join("kernels/nbody");
    let device: &mut dyn device::Device = &mut device;
    let mut module = device.load(&step.source(&kernels)?)?;
    let bodies = plummer(n, SEED);
    let simulation = Simulation::new(device, step, &mut module, &bodies)?;
    simulation.run(device, time_steps)?;
    simulation.force(device, time_steps)?;
    simulation.download(device)
}

#[test]
fn it_leaves_the_bits_that_a_launch_for_each_part_leaves() {
    let apart = Step { run: Run::Launches, ..step() };
    // More bodies than warps that run at once, fewer, and one.
    for (gpu, n) in [("h200", 1), ("h200", 77), ("h200", 1000), ("gtx-750-ti", 1000)] {
        let together = after(&step(), gpu, n, 3).expect("a run");
        assert_eq!(together, after(&apart, gpu, n, 3).expect("a run"), "{gpu}, {n}");
    }
}

#[test]
fn no_time_step_is_none() {
    let bodies = after(&step(), "h200", 33, 0).expect("a run").bodies;
    assert_eq!(bodies, plummer(33, SEED));
}

#[test]
fn blocks_that_cannot_all_run_at_once_are_refused() {
    let run = |_: &_| Launch { kernel: "run", blocks: 1000, threads: 1024, shared_bytes: 0 };
    let error = after(&Step { run: Run::OneLaunch(run), ..step() }, "h200", 100, 1).unwrap_err();
    assert!(matches!(error, Error::BadShape { .. }), "{error}");
    assert!(error.to_string().contains("1000 blocks of 1024 threads"), "{error}");
}
