//! Runs one pass of each step of a ladder on the GPU, unverified and untimed, to be run under a profiler:
//!
//! ```text
//! cargo build --release -p harness --example once
//! ncu --csv --page raw --metrics … target/release/examples/once nbody committed 4096
//! ```
//!
//! The arguments are the ladder, the code to load (`committed` or `nvrtc`), and the size, or `default` for that of
//! each step; n-body's 01-one-thread takes at most 1024 bodies. Names of steps may follow, else all that one GPU can run
//! are run; each is named before it. What the profiler counts is committed in `reports/h200-counters/`.

use anyhow::{Context, Result, bail};
use device::{Choice, CodeRoute, Device, Error, Source};
use ladder::problem::Input;
use ladder::{OpenProblem, Step, Threads};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next =
        || arguments.next().context("usage: once LADDER committed|nvrtc N|default [STEP]…");
    let name = next()?;
    let route: CodeRoute = next()?.parse().map_err(anyhow::Error::msg)?;
    let size = match next()?.as_str() {
        "default" => None,
        number => Some(number.parse::<u64>().context("the size")?),
    };
    let asked: Vec<String> = arguments.collect();
    let Some(ladder) = ladders::LADDERS.iter().find(|ladder| ladder.name() == name) else {
        bail!("there is no ladder {name}");
    };
    let mut open = ladder.open_plain()?;
    let mut device = device::open(Choice::Cuda(0), route, "h200")?;
    let kernels = ladder.kernels()?;
    for step in ladder
        .steps()
        .iter()
        .filter(|step| asked.is_empty() || asked.iter().any(|name| name == step.name))
    {
        let n = size.unwrap_or_else(|| open.default_size(step, device.info()));
        let n = if step.threads == Threads::One { n.min(1024) } else { n };
        println!("step {} {n}", step.name);
        let passed = pass(device.as_mut(), open.as_mut(), step, &step.source(&kernels)?, n);
        if let Err(error) = passed {
            println!("  not run: {error}"); // a step for several GPUs, for example
        }
    }
    Ok(())
}

fn pass(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    n: u64,
) -> Result<(), Error> {
    let mut module = device.load(source)?;
    let mut pass = open.place(device, step, &mut module, Input::trial(n))?;
    pass.upload(device)?;
    pass.run(device)?;
    device.synchronize()
}
