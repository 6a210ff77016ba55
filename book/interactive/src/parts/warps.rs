//! Warps step by step: source line, lanes and memory.

use simt::Counts;

use super::nbody;
use crate::answer::{Answer, Fact, fact, per, percent};
use crate::error::Error;
use crate::part::{Kind, Knob, Part};

const TEXT: &str = "Step through the first warps of the first block. A row shows a warp's 32 lanes, the source its line; below is the memory that the chosen warp's latest access asked for. Click a line to run until the warp comes there.";

pub const N_THREADS: Part = Part {
    name: "warps-02",
    title: "Step through the warps",
    text: TEXT,
    kind: Kind::Warps,
    knobs: &[Knob { name: "n", label: "n", choices: &["40", "64", "100", "128"], start: "100" }],
    table: None,
    ask: |values| {
        let mut request = nbody::n_threads(values.number("n")?, 128);
        request.recorded = 2_000;
        Answer::of(&request, facts)
    },
};

pub const SHARED_BLOCKING: Part = Part {
    name: "warps-06",
    title: "Step through the warps, with and without the second barrier",
    text: TEXT,
    kind: Kind::Warps,
    knobs: &[
        Knob { name: "n", label: "n", choices: &["256", "300", "512"], start: "300" },
        Knob {
            name: "barrier",
            label: "second barrier",
            choices: &["kept", "removed"],
            start: "kept",
        },
    ],
    table: None,
    ask: |values| {
        let mut request = nbody::shared_blocking(values.number("n")?);
        (request.recorded, request.hazards) = (8_000, true);
        let is_removed = values.text("barrier")? == "removed";
        if is_removed {
            request.ptx = without_last_barrier(&request.ptx)?;
        }
        let mut answer = Answer::of(&request, facts)?;
        if is_removed {
            answer.command = None;
        }
        Ok(answer)
    },
};

pub const PAIRS: Part = Part {
    name: "warps-14",
    title: "Step through the warps",
    text: TEXT,
    kind: Kind::Warps,
    knobs: &[Knob { name: "n", label: "n", choices: &["512", "1024"], start: "512" }],
    table: None,
    ask: |values| {
        let mut request = nbody::pairs(values.number("n")?);
        request.recorded = 80_000;
        Answer::of(&request, facts)
    },
};

fn facts(total: &Counts) -> Vec<Fact> {
    vec![
        fact("instructions issued", total.warps as f64),
        percent("lanes active", total.threads, 32 * total.warps),
        per("sectors for each global request", total.global_sectors, total.global_requests),
        fact("shared requests", total.shared_requests as f64),
        fact("barriers", total.barriers as f64),
    ]
}

/// The text without its last `bar.sync`.
fn without_last_barrier(ptx: &str) -> Result<String, Error> {
    let at = ptx.rfind("bar.sync").ok_or(Error::NoBarrier)?;
    let end = ptx[at..].find(';').ok_or(Error::NoBarrier)?;
    Ok(format!("{}{}", &ptx[..at], &ptx[at + end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_barrier_is_a_race_that_is_named() {
        let mut values = SHARED_BLOCKING.start();
        assert!(SHARED_BLOCKING.answer(&values).unwrap().hazards.is_empty());
        values.0.insert("barrier".to_owned(), "removed".to_owned());
        let hazards = SHARED_BLOCKING.answer(&values).unwrap().hazards;
        assert!(
            hazards[0].contains("race") && hazards[0].contains("__syncthreads()"),
            "{hazards:?}"
        );
    }
}
