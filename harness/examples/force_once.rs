//! Launches `force` of every n-body step once on the GPU, to be run under a profiler:
//!
//! ```text
//! cargo build --release -p harness --example force_once
//! ncu --csv --page raw --metrics … target/release/examples/force_once committed 4096
//! ```
//!
//! The first argument is the code to load, `committed` or `nvrtc`; 01-one-thread takes at most 1024 bodies, the others
//! as many as the second argument says. Names of steps may follow, else all that run on one GPU are launched. What the profiler counts is committed in `reports/h200-counters/`.

use anyhow::{Context, Result};
use device::{Choice, CodeRoute};
use ladder::{Threads, workspace};
use nbody::{SEED, Simulation, Step, plummer};
use nbody_ladder::STEPS;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().context("usage: force_once committed|nvrtc N [STEP]…");
    let route: CodeRoute = next()?.parse().map_err(anyhow::Error::msg)?;
    let n: usize = next()?.parse().context("the number of bodies")?;
    let names: Vec<String> = arguments.collect();
    let is_asked = |step: &&Step| match names.is_empty() {
        true => step.host.division.is_none(),
        false => names.iter().any(|name| name == step.name),
    };
    let mut device = device::open(Choice::Cuda(0), route, "h200")?;
    let kernels = workspace::root()?.join("kernels/nbody");
    for step in STEPS.iter().filter(is_asked) {
        let mut module = device.load(&step.source(&kernels)?)?;
        let n = if step.threads == Threads::One { n.min(1024) } else { n };
        let bodies = plummer(n, SEED);
        let simulation = Simulation::new(device.as_mut(), step, &mut module, &bodies)?;
        simulation.force(device.as_mut(), 0)?;
        device.synchronize()?;
        println!("{} {n}", step.name);
    }
    Ok(())
}
