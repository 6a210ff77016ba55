//! Every step's force evaluation through criterion, timed by the device's own clock.
//!
//! `cargo bench --bench steps`: the steps of the CPU on any machine; those of a GPU where there is one, and
//! where there is none it says so: the simulator's modelled times are the same every time, and what the simulator
//! itself costs is measured by `cargo bench --bench simulator`.

use std::time::Duration;

use criterion::{Criterion, Throughput};
use device::{Choice, CodeRoute, Device};
use harness::ladders::LADDERS;
use ladder::nbody::{SEED, Simulation, load, plummer};
use ladder::{Ladder, Step, Threads, workspace};
use vectors::Vectors;

/// Bodies; a GPU of 2024 is just full.
const BODIES: usize = 65_536;

/// Bodies for what one thread of a GPU does.
const BODIES_OF_ONE_THREAD: usize = 512;

/// Bodies for the CPU.
const BODIES_ON_THE_CPU: usize = 4096;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for ladder in LADDERS {
        let choice = if ladder.is_for_cpu() { Choice::Cpu } else { Choice::Cuda(0) };
        let mut device = match device::open(choice, CodeRoute::Auto, "h200") {
            Ok(device) => device,
            Err(error) => {
                eprintln!("SKIPPED: {}: {error}", ladder.name);
                continue;
            }
        };
        for step in ladder.steps {
            if let Err(error) = measure(&mut criterion, device.as_mut(), ladder, step) {
                eprintln!("SKIPPED: {}/{}: {error}", ladder.name, step.name);
            }
        }
    }
    criterion.final_summary();
}

/// Measures one step.
fn measure(
    criterion: &mut Criterion,
    device: &mut dyn Device,
    ladder: &Ladder,
    step: &Step,
) -> Result<(), Box<dyn std::error::Error>> {
    let n = match step.threads {
        _ if step.is_for_cpu() => BODIES_ON_THE_CPU,
        Threads::One => BODIES_OF_ONE_THREAD,
        Threads::PerBody { .. } | Threads::Planned { .. } | Threads::Cores => BODIES,
    };
    let kernels = workspace::root()?.join("kernels").join(ladder.name);
    let mut module = load(device, step, &kernels, Vectors::best())?;
    let simulation = Simulation::new(device, step, &mut module, &plummer(n, SEED))?;
    // A step that cannot run must not fail while criterion measures.
    simulation.force(device, 0)?;
    simulation.download(device)?;

    let mut group = criterion.benchmark_group(ladder.name);
    group.sample_size(10);
    group.throughput(Throughput::Elements((n * n) as u64));
    group.bench_function(format!("{}/n = {n}", step.name), |bencher| {
        bencher.iter_custom(|evaluations| {
            let timing = device
                .time(&mut |device| (0..evaluations).try_for_each(|_| simulation.force(device, 0)));
            let timing = timing.unwrap_or_else(|error| panic!("{}: {error}", step.name));
            Duration::from_secs_f64(timing.seconds)
        });
    });
    group.finish();
    Ok(())
}
