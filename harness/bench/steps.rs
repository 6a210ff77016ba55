//! Every step's pass through criterion, timed by the device's own clock.
//!
//! `cargo bench --bench steps`: the steps of the CPU on any machine; those of a GPU where there is one, and
//! where there is none it says so: the simulator's modelled times are the same every time, and what the simulator
//! itself costs is measured by `cargo bench --bench simulator`.

use std::time::Duration;

use criterion::{Criterion, Throughput};
use device::{Choice, CodeRoute, Device};
use ladder::problem::{Input, OnCpu};
use ladder::{Ladder, Step, workspace};
use ladders::LADDERS;
use report::Request;
use vectors::Vectors;

/// Samples are many: a run's size is divided by this.
const PART: u64 = 4;

/// The size for what one thread of a GPU does.
const SIZE_OF_ONE_THREAD: u64 = 512;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for ladder in LADDERS {
        let choice = if ladder.is_for_cpu() { Choice::Cpu } else { Choice::Cuda(0) };
        let mut device = match device::open(choice, CodeRoute::Auto, "h200") {
            Ok(device) => device,
            Err(error) => {
                eprintln!("SKIPPED: {}: {error}", ladder.name());
                continue;
            }
        };
        for step in ladder.steps() {
            if let Err(error) = measure(&mut criterion, device.as_mut(), *ladder, &step) {
                eprintln!("SKIPPED: {}/{}: {error}", ladder.name(), step.name);
            }
        }
    }
    criterion.final_summary();
}

/// Measures one step.
fn measure(
    criterion: &mut Criterion,
    device: &mut dyn Device,
    ladder: &dyn Ladder,
    step: &Step,
) -> Result<(), Box<dyn std::error::Error>> {
    let asked = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    let mut open = ladder.open(&asked)?;
    let n = match step.is_one_gpu_thread() {
        true => SIZE_OF_ONE_THREAD,
        false => open.default_size(step, device.info()) / PART,
    };
    let kernels = &workspace::root()?.join("kernels").join(ladder.name());
    let mut module = if step.is_for_cpu() {
        let on = OnCpu { kernels, vectors: Vectors::best(), threads: device.threads() };
        device.load_host(open.host_code(step, &on)?)?
    } else {
        device.load(&step.source(kernels)?)?
    };
    let mut pass = open.place(device, step, &mut module, Input::trial(n))?;
    // A step that cannot run must not fail while criterion measures.
    pass.upload(device)?;
    pass.run(device)?;
    pass.download(device)?;

    let mut group = criterion.benchmark_group(ladder.name());
    group.sample_size(10);
    group.throughput(Throughput::Elements(open.work(n) as u64));
    group.bench_function(format!("{}/n = {n}", step.name), |bencher| {
        bencher.iter_custom(|passes| {
            let timing = device.time(&mut |device| (0..passes).try_for_each(|_| pass.run(device)));
            let timing = timing.unwrap_or_else(|error| panic!("{}: {error}", step.name));
            Duration::from_secs_f64(timing.seconds)
        });
    });
    group.finish();
    Ok(())
}
