//! What fits a multiprocessor.

use anyhow::{Result, anyhow};
use device::DEFAULT_GPU;
use simt::model::Gpu;

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

/// Threads of a block, as in the ladder.
const THREADS: u32 = 256;
const WARPS: u32 = THREADS / 32;

/// A multiprocessor that fills up, as blocks ask for more shared memory.
pub fn filling() -> Result<String> {
    let gpu = Gpu::named(DEFAULT_GPU)?;
    let most = gpu.limits.warps.value as u32;
    let mut film =
        Film::new("Blocks that fit a multiprocessor, by the shared memory that each asks for");
    for kib in [0, 16, 32, 48, 96] {
        let held = gpu.residency(THREADS, None, kib * 1024, u64::MAX);
        let held = held.map_err(|error| anyhow!("{error}"))?;
        let words =
            format!("{} blocks of {THREADS} threads, {} of {most} warps", held.blocks, held.warps);
        let mut drawing = Drawing::new(172.0, words.as_str());
        drawing.text((4.0, 14.0), &format!("{kib} KiB of shared memory a block"));
        for place in 0..most {
            let (block, warp) = (place / WARPS, place % WARPS);
            let corner = (4.0 + 44.0 * f64::from(block), 24.0 + 12.0 * f64::from(warp));
            match block < held.blocks {
                true => drawing.filled("busy", corner, (40.0, 10.0)),
                false => drawing.outline(corner, (40.0, 10.0)),
            }
        }
        drawing.text((4.0, 138.0), &words);
        let limit = format!("Limited by: {}.", held.limit.name());
        drawing.text((4.0, 160.0), &limit);
        let caption = "A column is a place for a block of eight warps; outlined places stay empty.";
        film.frame(drawing, caption);
    }
    Ok(film.html())
}

/// A block of 200 threads takes the places of seven warps.
pub fn partial() -> String {
    const THREADS: usize = 200;
    const LANE: f64 = 9.6;
    let mut drawing = Drawing::new(
        164.0,
        "The seven warps of a block of 200 threads, a row of 32 lanes each. The last has eight threads; its other lanes are idle",
    );
    let warps = THREADS.div_ceil(32);
    drawing.text((4.0, 14.0), &format!("a block of {THREADS} threads: {warps} warps"));
    for warp in 0..warps {
        let top = 24.0 + 16.0 * warp as f64;
        drawing.text((4.0, top + 11.0), &format!("warp {warp}"));
        for lane in 0..32 {
            let corner = (48.0 + LANE * lane as f64, top);
            match 32 * warp + lane < THREADS {
                true => drawing.filled("busy", corner, (LANE - 1.6, 12.0)),
                false => drawing.outline(corner, (LANE - 1.6, 12.0)),
            }
        }
    }
    let idle = 32 * warps - THREADS;
    drawing.text((4.0, 156.0), &format!("{idle} of {} lanes have no thread.", 32 * warps));
    drawing.html()
}
