//! What each source line of a committed kernel does, at other sizes and blocks.

use super::nbody;
use crate::answer::{Answer, fact, per, percent};
use crate::error::Error;
use crate::part::{Kind, Knob, Part, Values};

pub const N_THREADS: Part = Part {
    name: "lines-02",
    title: "Change n and the block size",
    text: "The same kernel, launched otherwise. Which counts change, and which do not? When are lanes idle?",
    kind: Kind::Lines,
    knobs: &[
        Knob {
            name: "n",
            label: "n",
            choices: &["100", "255", "256", "257", "512", "1000", "1024"],
            start: "256",
        },
        Knob {
            name: "block",
            label: "threads of a block",
            choices: &["16", "32", "48", "64", "128", "256", "512", "1024"],
            start: "256",
        },
    ],
    table: Some("block"),
    ask,
};

fn ask(values: &Values) -> Result<Answer, Error> {
    let request = nbody::n_threads(values.number("n")?, values.number("block")?);
    Answer::of(&request, |total| {
        vec![
            fact("blocks", f64::from(request.grid)),
            fact("instructions issued", total.warps as f64),
            percent("lanes active", total.threads, 32 * total.warps),
            per("sectors for each global request", total.global_sectors, total.global_requests),
        ]
    })
}
