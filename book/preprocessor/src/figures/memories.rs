// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memories of a GPU, the nearest above, with their sizes and latencies from its description.

use anyhow::Result;
use simt::model::Gpu;

use super::{Anchor, Drawing};
use crate::sides::GPU;

/// From one memory to the next.
const STEP: f64 = 46.0;

pub fn figure() -> Result<String> {
    let gpu = Gpu::named(GPU)?;
    let (limits, latency) = (&gpu.limits, &gpu.latency);
    let kib = |bytes: f64| format!("{} KiB", bytes / 1024.0);
    let clocks = |clocks: f64| format!("{clocks} clocks");
    let mib = gpu.chip.l2_bytes.value / f64::from(1 << 20);
    let rows = [
        (
            "registers",
            "a thread's",
            kib(4.0 * limits.registers.value) + " an SM",
            "none".to_owned(),
        ),
        (
            "shared memory",
            "a block's",
            kib(limits.block_shared_bytes.value) + " a block",
            clocks(latency.shared.value),
        ),
        (
            "L1 cache",
            "an SM's",
            kib(gpu.memory.l1_bytes.value) + " with shared memory",
            clocks(latency.l1.value),
        ),
        ("L2 cache", "the chip's", format!("{mib:.0} MiB"), clocks(latency.l2.value)),
        (
            "global memory",
            "the grid's",
            format!("{} GB/s", gpu.chip.dram_gb_per_s.value),
            clocks(latency.dram.value),
        ),
        ("host memory", "over the bus", format!("{} GB/s", gpu.bus.gb_per_s.value), String::new()),
    ];
    let mut words = format!("Memories of {}, the nearest first:", gpu.name);
    for (name, whose, size, wait) in &rows {
        words += &format!(" {name}, {whose}, {size} {wait};");
    }
    let mut drawing = Drawing::new(40.0 + STEP * rows.len() as f64, words.trim_end_matches(';'));
    drawing.text((150.0, 18.0), 13, Anchor::Middle, &gpu.name);
    drawing.text((330.0, 18.0), 12, Anchor::Start, "size or bandwidth");
    drawing.text((630.0, 18.0), 12, Anchor::End, "wait for a load");
    for (place, (name, whose, size, wait)) in rows.iter().enumerate() {
        let top = 30.0 + STEP * place as f64;
        let half = 60.0 + 16.0 * place as f64;
        drawing.outline((150.0 - half, top), (2.0 * half, 36.0));
        drawing.text((150.0, top + 16.0), 13, Anchor::Middle, name);
        drawing.text((150.0, top + 30.0), 11, Anchor::Middle, whose);
        drawing.text((330.0, top + 23.0), 13, Anchor::Start, size);
        drawing.text((630.0, top + 23.0), 13, Anchor::End, wait);
    }
    Ok(drawing.html())
}
