//! Launches every kernel of a PTX file of access patterns once on the GPU, to be run under a profiler:
//!
//! ```text
//! cargo build --release -p device --example patterns
//! ncu --csv --page raw --metrics … target/release/examples/patterns harness/core/device/tests/patterns/patterns.ptx
//! ```
//!
//! What the profiler counts is committed as `reports/h200-counters/patterns.csv`, and a test holds the simulator
//! against it.

use std::path::Path;
use std::process::ExitCode;

use device::{Argument, Choice, CodeRoute, Error, Shape, Source};

/// As the kernels' header says.
const SHAPE: Shape = Shape::row(4, 256);
const BYTES: usize = 4 * 65536;
const N: i32 = 1024;

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: patterns FILE.ptx");
        return ExitCode::from(2);
    };
    match launch_all(Path::new(&file)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn launch_all(file: &Path) -> Result<(), Error> {
    let source = Source::from_file(file, &[])?;
    let mut device = device::open(Choice::Cuda(0), CodeRoute::Committed, "h200")?;
    let module = device.load(&source)?;
    let (out, input) = (device.alloc("out", BYTES)?, device.alloc("in", BYTES)?);
    device.fill(&input, 0)?;
    let entries = |ptx: &str| -> Vec<String> {
        let entry = |line: &str| {
            line.split(".entry ").nth(1).map(|rest| rest.trim_end_matches(['(', ' ']).to_owned())
        };
        ptx.lines().filter_map(entry).collect()
    };
    for kernel in source.ptx.iter().flat_map(|ptx| entries(&ptx.text)) {
        let arguments = [Argument::Buffer(&out), Argument::Buffer(&input), Argument::I32(N)];
        device.launch(&module, &kernel, SHAPE, &arguments)?;
        device.synchronize()?;
        println!("{kernel}");
    }
    Ok(())
}
