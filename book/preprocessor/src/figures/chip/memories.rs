//! The memories of a GPU, the nearest above, with their sizes and latencies from its description.

use anyhow::Result;
use simt::model::Gpu;

use crate::figures::kit::drawing::Drawing;
use crate::sides::GPU;

/// From one memory to the next, and the middle of them all.
const STEP: f64 = 48.0;
const MIDDLE: f64 = 84.0;

pub fn figure() -> Result<String> {
    let gpu = Gpu::named(GPU)?;
    let (limits, latency) = (&gpu.limits, &gpu.latency);
    let kib = |bytes: f64| format!("{} KiB", bytes / 1024.0);
    let bandwidth = |rate: f64| format!("{rate} GB/s");
    let mib = gpu.chip.l2_bytes.value / f64::from(1 << 20);
    let rows = [
        ("registers", "a thread's", kib(4.0 * limits.registers.value) + " an SM\nno wait", None),
        (
            "shared memory",
            "a block's",
            kib(limits.block_shared_bytes.value) + " a block",
            Some(latency.shared.value),
        ),
        (
            "L1 cache",
            "an SM's",
            kib(gpu.memory.l1_bytes.value) + " with shared memory",
            Some(latency.l1.value),
        ),
        ("L2 cache", "the chip's", format!("{mib:.0} MiB"), Some(latency.l2.value)),
        (
            "global memory",
            "the grid's",
            bandwidth(gpu.chip.dram_gb_per_s.value),
            Some(latency.dram.value),
        ),
        ("host memory", "over the bus", bandwidth(gpu.bus.gb_per_s.value), None),
    ];
    let rows = rows.map(|(name, whose, size, wait)| {
        let wait = wait.map(|clocks| format!("\na load waits {clocks} clocks")).unwrap_or_default();
        (format!("{name}\n{whose}"), size + &wait)
    });
    let mut words = format!("Memories of {}, the nearest first:", gpu.name);
    for (name, size) in &rows {
        words += &format!(" {name}, {size};").replace('\n', ", ");
    }
    let mut drawing = Drawing::new(22.0 + STEP * rows.len() as f64, words.trim_end_matches(';'));
    drawing.middle((MIDDLE, 14.0), &gpu.name);
    for (place, (name, size)) in rows.iter().enumerate() {
        let top = 22.0 + STEP * place as f64;
        let half = 55.0 + 5.0 * place as f64;
        drawing.cell("", (MIDDLE - half, top), (2.0 * half, 40.0), name);
        drawing.text((178.0, top + 17.0), size);
    }
    Ok(drawing.html())
}
