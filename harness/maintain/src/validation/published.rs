//! The tutorial's ratios against the model of its three GPUs.

use std::path::Path;

use anyhow::Result;
use ladder::Ladder;
use simt::model::Gpu;

use super::simulated::Steps;
use report::validation::Published;

/// The GPUs of the slides, and what the model calls them.
const GPUS: [(&str, &str); 3] = [
    ("Quadro FX 5800 (CC 1.3)", "quadro-fx-5800"),
    ("Tesla C2050 (CC 2.0)", "tesla-c2050"),
    ("GeForce GTX 680 (CC 3.0)", "gtx-680"),
];

/// The least size: it fills each of these GPUs several times over, as the slides' sizes do.
const SIZE: u64 = 32 * 1024;

/// Models every ratio between a step and its parent that was published, on its GPU; `reports` is the folder
/// of all reports.
pub fn published(ladder: &'static dyn Ladder, reports: &Path) -> Result<Vec<Published>> {
    let all = report::published::Published::of_ladder(reports, ladder.name())?;
    let mut found = Vec::new();
    for (title, name) in GPUS {
        let gpu = Gpu::named(name)?;
        let mut steps = Steps::new(ladder, &gpu)?;
        // The same for all: a ratio is between equal n.
        let of_a_round = gpu.chip.multiprocessors.value as u64 * 256;
        let n = SIZE.next_multiple_of(of_a_round);
        let mut wanted = Vec::new();
        for step in ladder.steps() {
            let Some(parent) = step.after else { continue };
            let lines = all.times_parent(step.name).filter(|(_, line)| line.gpu == title);
            wanted.extend(lines.map(|(ratio, _)| (step.name, ratio, parent)));
        }
        steps.model(wanted.iter().flat_map(|(step, _, parent)| [(*step, n), (*parent, n)]))?;
        for (step, published, parent) in wanted {
            let modelled = steps.modelled(parent, n)?.seconds / steps.modelled(step, n)?.seconds;
            let (step, gpu) = (step.to_owned(), title.to_owned());
            found.push(Published { step, gpu, published, modelled, n });
        }
    }
    Ok(found)
}
