//! The tutorial's ratios against the model of its three GPUs.

use std::path::Path;

use anyhow::{Context, Result};
use ladder::Ladder;
use simt::model::Gpu;

use super::Steps;
use report::validation::Published;
use crate::published::{self, Line};

/// The GPUs of the slides, and what the model calls them.
const GPUS: [(&str, &str); 3] = [
    ("Quadro FX 5800 (CC 1.3)", "quadro-fx-5800"),
    ("Tesla C2050 (CC 2.0)", "tesla-c2050"),
    ("GeForce GTX 680 (CC 3.0)", "gtx-680"),
];

/// Bodies at least: they fill each of these GPUs several times over, as those of the slides do.
const BODIES: u64 = 32 * 1024;

/// Models every ratio between a step and its parent that `file` has, on its GPU.
///
/// # Errors
/// A file that cannot be read, or whatever stops a simulation.
pub fn published(ladder: &'static dyn Ladder, file: &Path) -> Result<Vec<Published>> {
    let lines = published::read(file)?;
    let mut found = Vec::new();
    for (title, name) in GPUS {
        let gpu = Gpu::named(name)?;
        let mut steps = Steps::new(ladder, &gpu)?;
        // The same for all: a ratio is between equal n.
        let of_a_round = gpu.chip.multiprocessors.value as u64 * 256;
        let n = BODIES.next_multiple_of(of_a_round);
        let mut wanted = Vec::new();
        for line in lines.iter().filter(|line| line.gpu == title) {
            if let Some(ratio) = line.times_parent()? {
                let parent = steps.step(&line.step)?.after.context("a ratio needs a parent")?;
                wanted.push((line, ratio, parent));
            }
        }
        let both = wanted.iter().flat_map(|(line, _, parent)| [line.step.as_str(), parent]);
        steps.model(both.map(|step| (step.to_owned(), n)))?;
        for (Line { step, gpu, .. }, published, parent) in wanted {
            let modelled = steps.modelled(parent, n)?.seconds / steps.modelled(step, n)?.seconds;
            let (step, gpu) = (step.clone(), gpu.clone());
            found.push(Published { step, gpu, published, modelled, n });
        }
    }
    Ok(found)
}
