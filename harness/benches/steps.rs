//! Every step's force evaluation through criterion, timed by the device's own events.
//!
//! `cargo bench -p harness --bench steps`. Where there is no GPU it says so and measures nothing: the simulator's
//! modelled times are the same every time, and what the simulator itself costs is measured in
//! `cargo bench -p simt`.

use std::time::Duration;

use criterion::{Criterion, Throughput};
use device::{Choice, CodeRoute, Device, Source};
use harness::ladders::LADDERS;
use ladder::nbody::{SEED, Simulation, plummer};
use ladder::{Ladder, Step, Threads, workspace};

/// Bodies; a GPU of 2024 is just full.
const BODIES: usize = 65_536;

/// Bodies for what one thread does.
const BODIES_OF_ONE_THREAD: usize = 512;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    match device::open(Choice::Cuda(0), CodeRoute::Auto, "h200") {
        Ok(mut device) => {
            for ladder in LADDERS {
                for step in ladder.steps {
                    if let Err(error) = measure(&mut criterion, device.as_mut(), ladder, step) {
                        eprintln!("SKIPPED: {}/{}: {error}", ladder.name, step.name);
                    }
                }
            }
        }
        Err(error) => eprintln!("SKIPPED: {error}"),
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
        Threads::One => BODIES_OF_ONE_THREAD,
        Threads::PerBody { .. } => BODIES,
    };
    let kernels = workspace::root()?.join("kernels").join(ladder.name);
    let source = Source::from_kernels(&kernels, step.name, step.cuda, step.options)?;
    let mut module = device.load(&source)?;
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
