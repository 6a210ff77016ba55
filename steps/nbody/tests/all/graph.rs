//! A step whose time steps are recorded, and started together again and again.

use device::{CodeRoute, Device, Error, SimulatorDevice, Watching, described};
use nbody::{GRAPH_TIME_STEPS, Host, Run, SEED, Simulation, State, Step, plummer};

use super::kernels;

fn step() -> Step {
    super::step("13x-graph")
}

/// The step with a launch for each part of a time step.
fn apart() -> Step {
    Step { host: Host { run: Run::Launches, ..step().host }, ..step() }
}

fn device() -> SimulatorDevice {
    SimulatorDevice::open(CodeRoute::Committed, described("h200").expect("a GPU that is known"))
}

/// Does `work` with `n` bodies, uploaded for `step`.
fn with<T>(
    device: &mut SimulatorDevice,
    step: &Step,
    n: usize,
    work: impl FnOnce(&mut SimulatorDevice, &Simulation) -> Result<T, Error>,
) -> T {
    let mut module = device.load(&step.source(&kernels()).expect("a source")).expect("its code");
    let bodies = plummer(n, SEED);
    let simulation = Simulation::new(device, step, &mut module, &bodies).expect("memory");
    work(device, &simulation).expect("a run")
}

/// What some time steps make of `n` bodies.
fn after(step: &Step, n: usize, time_steps: u32) -> State {
    with(&mut device(), step, n, |device, simulation| {
        simulation.run(device, time_steps)?;
        simulation.force(device, time_steps)?;
        simulation.download(device)
    })
}

#[test]
fn it_leaves_the_bits_that_launches_leave() {
    // No graph, one that is not full, one that is, with some time steps behind it and without, and two.
    let full = GRAPH_TIME_STEPS;
    for (n, steps) in [(33, 1), (31, 2), (257, 3), (1, full), (5, full + 1), (61, full + 2)] {
        assert_eq!(after(&step(), n, steps), after(&apart(), n, steps), "{n}, {steps}");
    }
    for n in [1, 7, 31, 97] {
        let steps = 2 * full + 8;
        assert_eq!(after(&step(), n, steps), after(&apart(), n, steps), "{n}, {steps}");
    }
}

#[test]
fn no_time_step_is_none() {
    let bodies = with(&mut device(), &step(), 33, |device, simulation| {
        simulation.run(device, 0)?;
        simulation.download(device)
    });
    assert_eq!(bodies.bodies, plummer(33, SEED));
}

#[test]
fn what_is_ready_can_be_started_again() {
    let steps = GRAPH_TIME_STEPS + 3;
    let mut device = device();
    let [one, other] = with(&mut device, &step(), 50, |device, simulation| {
        let ready = simulation.prepare(device, steps)?;
        ready.start(device)?;
        let one = simulation.download(device)?;
        simulation.upload(device, &plummer(50, SEED), None)?;
        ready.start(device)?;
        Ok([one, simulation.download(device)?])
    });
    assert_eq!(one, other);
}

#[test]
fn launches_are_as_many_and_in_the_same_order() {
    let steps = GRAPH_TIME_STEPS + 2;
    let launched = |step: &Step| {
        let mut device = device();
        device.watch(Watching::default());
        with(&mut device, step, 40, |device, simulation| {
            let ready = simulation.prepare(device, steps)?;
            assert!(device.take_profiles().is_empty(), "nothing runs before it is started");
            ready.start(device)
        });
        let profiles = device.take_profiles();
        profiles.into_iter().map(|seen| (seen.kernel, seen.grid)).collect::<Vec<_>>()
    };
    let seen = launched(&step());
    assert_eq!(seen.len(), 2 * steps as usize);
    assert_eq!(seen, launched(&apart()));
}
