//! Copies and launches of steps of the ladder `overlap` over time, from a run on the simulator.

use anyhow::{Context, Result};
use device::{CodeRoute, DEFAULT_GPU, Device, SimulatorDevice};
use ladder::problem::Input;
use ladder::workspace;
use report::Request;
use simt::model::{Engine, Gpu, Operation};

use crate::figures::kit::drawing::Drawing;

const STEPS: [(&str, &str); 3] = [
    ("02-pinned", "one stream"),
    ("03-two-streams", "two streams"),
    ("04-four-streams", "four streams"),
];

/// Elements that go to the GPU and back.
const ELEMENTS: u64 = 1 << 20;

const ENGINES: [(Engine, &str, &str); 3] = [
    (Engine::ToDevice, "load", "copy in"),
    (Engine::Multiprocessors, "busy", "kernel"),
    (Engine::ToHost, "load", "copy out"),
];

/// What a pass of a step does, and when.
fn operations(step: &str) -> Result<Vec<Operation>> {
    let ladder = ladders::ladder("overlap")?;
    let step = ladders::step(ladder, step)?;
    let kernels = workspace::root()?.join("kernels").join(ladder.name());
    let mut open = ladder.open(&Request::default())?;
    let mut device = SimulatorDevice::open(CodeRoute::Committed, Gpu::named(DEFAULT_GPU)?);
    device.keep_operations();
    let mut module = device.load(&step.source(&kernels)?)?;
    let mut pass = open.place(&mut device, &step, &mut module, Input::timed(ELEMENTS, 1))?;
    pass.upload(&mut device)?;
    device.time(&mut |device| pass.run(device))?;
    drop(pass);
    Ok(device.operations())
}

pub fn figure() -> Result<String> {
    const LEFT: f64 = 66.0;
    const RIGHT: f64 = 354.0;
    let runs: Vec<Vec<Operation>> =
        STEPS.iter().map(|(step, _)| operations(step)).collect::<Result<_>>()?;
    let end = |run: &[Operation]| run.iter().map(|it| it.end).fold(0.0, f64::max);
    let longest = runs.iter().map(|run| end(run)).fold(0.0, f64::max);
    let x = |seconds: f64| LEFT + (RIGHT - LEFT) * seconds / longest;
    let mut drawing = Drawing::new(
        306.0,
        "Copies in, kernels and copies out over time, in one stream, in two and in four. With more streams, copies in both directions and \
         the kernel run side by side, and the whole ends earlier",
    );
    for (place, ((_, title), run)) in STEPS.iter().zip(&runs).enumerate() {
        let top = 92.0 * place as f64;
        let micros = 1e6 * end(run);
        drawing.text((4.0, top + 14.0), &format!("{title}: {micros:.0} µs, modelled"));
        let mut streams: Vec<Option<u64>> = run.iter().map(|it| it.stream).collect();
        streams.sort_unstable();
        streams.dedup();
        for (row, (engine, fill, name)) in ENGINES.into_iter().enumerate() {
            let y = top + 20.0 + 22.0 * row as f64;
            drawing.text((4.0, y + 14.0), name);
            for it in run.iter().filter(|it| it.engine == engine) {
                let stream =
                    streams.iter().position(|own| *own == it.stream).context("a stream")?;
                let (from, to) = (x(it.begin), x(it.end));
                // The name of the stream, if there is room and there are several.
                let name = if streams.len() > 1 && to - from > 12.0 {
                    (stream + 1).to_string()
                } else {
                    String::new()
                };
                drawing.cell(fill, (from, y), ((to - from - 0.8).max(0.8), 19.0), &name);
            }
        }
    }
    drawing.arrow((LEFT, 284.0), (RIGHT, 284.0));
    drawing.end((RIGHT, 300.0), "time");
    Ok(drawing.html())
}
