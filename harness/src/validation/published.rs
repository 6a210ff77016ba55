//! The tutorial's ratios against the model of its three GPUs.

use std::path::Path;

use anyhow::{Context, Result};
use ladder::Ladder;
use simt::model::Gpu;

use super::Steps;
use super::data::Published;

/// The GPUs of the slides, and what the model calls them.
const GPUS: [(&str, &str); 3] = [
    ("Quadro FX 5800 (CC 1.3)", "quadro-fx-5800"),
    ("Tesla C2050 (CC 2.0)", "tesla-c2050"),
    ("GeForce GTX 680 (CC 3.0)", "gtx-680"),
];

/// Blocks of 256 threads for each multiprocessor: more than are resident at a time.
const BLOCKS: u64 = 8;

/// Models every ratio between a step and its parent that `file` has, on its GPU.
///
/// # Errors
/// A file that cannot be read, or whatever stops a simulation.
pub fn published(
    ladder: &'static Ladder,
    file: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Published>> {
    let mut found = Vec::new();
    for (title, name) in GPUS {
        let gpu = Gpu::named(name)?;
        let mut steps = Steps::new(ladder, &gpu)?;
        // The same for all: a ratio is between equal n.
        let n = gpu.chip.multiprocessors.value as u64 * BLOCKS * 256;
        let mut reader = csv::Reader::from_path(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        for row in reader.deserialize() {
            let row: Line = row.with_context(|| format!("{} is no table", file.display()))?;
            if row.gpu != title || row.against != "parent" {
                continue;
            }
            let parent = steps.step(&row.step)?.after.context("a ratio needs a parent")?;
            tell(&format!("{} on {title}", row.step));
            let modelled =
                steps.modelled(parent, n)?.seconds / steps.modelled(&row.step, n)?.seconds;
            let published = row
                .ratio
                .parse()
                .with_context(|| format!("{}: `{}` is no ratio", file.display(), row.ratio))?;
            found.push(Published { step: row.step, gpu: row.gpu, published, modelled, n });
        }
    }
    Ok(found)
}

/// A line of the file.
#[derive(serde::Deserialize)]
struct Line {
    step: String,
    against: String,
    gpu: String,
    ratio: String,
}
