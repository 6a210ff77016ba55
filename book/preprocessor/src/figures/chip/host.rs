//! The host and a GPU, what is in each, and what goes between them, with numbers of a GPU's description.

use anyhow::Result;
use simt::model::Gpu;

use crate::figures::kit::drawing::Drawing;
use crate::sides::GPU;

/// Multiprocessors in a row, and from one to the next.
const IN_A_ROW: usize = 15;
const PITCH: f64 = 10.0;
/// Of a box of the host, or the device.
const WIDE: f64 = 156.0;

pub fn figure() -> Result<String> {
    let gpu = Gpu::named(GPU)?;
    let (chip, bus) = (&gpu.chip, &gpu.bus);
    let processors = chip.multiprocessors.value as usize;
    let mut drawing = Drawing::new(
        330.0,
        format!(
            "Above the host: a CPU and its memory. Below the device, {}: {processors} multiprocessors and global memory. Between \
             them a bus of {} GB/s: inputs go to the device, a launch starts the kernel, results come back",
            gpu.name, bus.gb_per_s.value
        ),
    );
    drawing.text((4.0, 14.0), "host");
    drawing.outline((4.0, 20.0), (352.0, 60.0));
    drawing.cell("busy", (16.0, 30.0), (WIDE, 40.0), "CPU: runs main");
    drawing.cell("", (188.0, 30.0), (WIDE, 40.0), "host memory");
    drawing.arrow((150.0, 70.0), (150.0, 188.0));
    drawing.end((142.0, 112.0), "2 launch");
    drawing.arrow((200.0, 70.0), (200.0, 188.0));
    drawing.text((208.0, 112.0), "1 copy inputs");
    drawing.arrow((334.0, 188.0), (334.0, 72.0));
    drawing.end((326.0, 140.0), "3 copy results");
    drawing.text((4.0, 140.0), &format!("bus: {} GB/s", bus.gb_per_s.value));
    drawing.text((4.0, 172.0), &format!("device: {}", gpu.name));
    drawing.outline((4.0, 178.0), (352.0, 146.0));
    for processor in 0..processors {
        let (row, column) = (processor / IN_A_ROW, processor % IN_A_ROW);
        let place = (16.0 + PITCH * column as f64, 192.0 + PITCH * row as f64);
        drawing.filled("busy", place, (PITCH - 2.0, PITCH - 2.0));
    }
    drawing.middle((16.0 + WIDE / 2.0, 302.0), &format!("{processors} multiprocessors\n(SMs)"));
    let memory = format!("global memory\n{} GB/s to the SMs", chip.dram_gb_per_s.value);
    drawing.cell("", (188.0, 192.0), (WIDE, 120.0), &memory);
    Ok(drawing.html())
}
