//! Block size, registers, shared memory → blocks that a multiprocessor holds.

use simt::model::Gpu;

use crate::answer::{Answer, Fact, fact};
use crate::error::Error;
use crate::part::{Kind, Knob, Part, Values};

/// More blocks than any GPU holds, so that the grid is no limit.
const BLOCKS: u64 = 1 << 20;

pub const PART: Part = Part {
    name: "occupancy",
    title: "Block size and occupancy",
    text: "What a block takes decides how many fit on a multiprocessor at once. Each square below is a place for a warp.",
    kind: Kind::Places,
    knobs: &[
        Knob {
            name: "threads",
            label: "threads of a block",
            choices: &["32", "64", "96", "128", "192", "256", "384", "512", "768", "1024"],
            start: "256",
        },
        Knob {
            name: "registers",
            label: "registers of a thread",
            choices: &["16", "24", "32", "40", "48", "64", "80", "96", "128", "168", "255"],
            start: "32",
        },
        Knob {
            name: "shared",
            label: "KiB of shared memory of a block",
            choices: &["0", "1", "4", "8", "16", "32", "48"],
            start: "0",
        },
        Knob {
            name: "gpu",
            label: "GPU",
            choices: &["h200", "a100", "v100", "rtx-4090", "rtx-4060-laptop", "t4", "gtx-1080"],
            start: "h200",
        },
    ],
    table: Some("threads"),
    ask,
};

fn ask(values: &Values) -> Result<Answer, Error> {
    let gpu = Gpu::named(values.text("gpu")?)?;
    let (threads, registers) = (values.number("threads")?, values.number("registers")?);
    let shared = 1024 * values.number("shared")?;
    let held = gpu.residency(threads, Some(registers), shared, BLOCKS)?;
    let most = gpu.limits.warps.value as u32;
    Ok(Answer {
        facts: vec![
            fact("blocks at once", f64::from(held.blocks)),
            fact("warps at once", f64::from(held.warps)),
            Fact { name: "occupancy", value: format!("{} %", 100 * held.warps / most) },
            Fact { name: "limited by", value: held.limit.name().to_owned() },
        ],
        places: Some((held.warps, most)),
        ..Answer::default()
    })
}
