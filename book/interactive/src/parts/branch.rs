//! Which threads take which way → lanes that are active.

use super::file::file;
use crate::answer::{Answer, fact, percent};
use crate::error::Error;
use crate::part::{Kind, Knob, Part, Values};
use crate::request::Request;

pub const PART: Part = Part {
    name: "branch",
    title: "Branches and lanes",
    text: "So many neighbouring threads take one way of a branch, the next as many the other. Half of the threads go each way, whatever you choose. Below are the lanes of the first two warps, row by row in time.",
    kind: Kind::Lanes,
    knobs: &[Knob {
        name: "run",
        label: "neighbours that go the same way",
        choices: &["1", "2", "4", "8", "16", "32", "64"],
        start: "1",
    }],
    table: Some("run"),
    ask,
};

fn ask(values: &Values) -> Result<Answer, Error> {
    let request = Request {
        file: "book/interactive/kernels/branch",
        source: file!("book/interactive/kernels/branch.cu"),
        ptx: file!("book/interactive/kernels/branch.ptx").to_owned(),
        kernel: "branch",
        grid: 1,
        block: 128,
        arguments: vec![
            "f32[128]=uninit".to_owned(),
            "f32[128]=rand".to_owned(),
            format!("i32={}", values.number("run")?),
        ],
        constants: Vec::new(),
        recorded: 2000,
        hazards: false,
    };
    Answer::of(&request, |total| {
        vec![
            fact("instructions issued", total.warps as f64),
            percent("lanes active", total.threads, 32 * total.warps),
            fact("branches at which a warp parted", total.divergent as f64),
        ]
    })
}
