//! How far apart neighbouring lanes read → sectors.

use super::file::file;
use crate::answer::{Answer, fact, percent};
use crate::error::Error;
use crate::part::{Kind, Knob, Part, Values};
use crate::request::Request;

pub const PART: Part = Part {
    name: "stride",
    title: "Stride and sectors",
    text: "Lane i reads word offset + stride × i. Choose; below are the words that one warp reads, and the sectors that are moved for them.",
    kind: Kind::Memory,
    knobs: &[
        Knob {
            name: "stride",
            label: "stride",
            choices: &["0", "1", "2", "3", "4", "8", "16", "32"],
            start: "2",
        },
        Knob { name: "offset", label: "offset", choices: &["0", "1", "4", "8"], start: "0" },
    ],
    table: Some("stride"),
    ask,
};

fn ask(values: &Values) -> Result<Answer, Error> {
    let (stride, offset) = (values.number("stride")?, values.number("offset")?);
    let request = Request {
        file: "book/interactive/kernels/stride",
        source: file!("book/interactive/kernels/stride.cu"),
        ptx: file!("book/interactive/kernels/stride.ptx").to_owned(),
        kernel: "read",
        grid: 1,
        block: 32,
        arguments: vec![
            "f32[32]=uninit".to_owned(),
            "f32[1024]=rand".to_owned(),
            format!("i32={stride}"),
            format!("i32={offset}"),
        ],
        constants: Vec::new(),
        recorded: 100,
        hazards: false,
    };
    Answer::of(&request, |total| {
        // The store of 32 neighbouring words takes 4 sectors and 128 bytes.
        let sectors = total.global_sectors - 4;
        let wanted = (32 * stride.min(1)).max(1) * 4;
        vec![
            fact("sectors of the load", sectors as f64),
            percent("of their bytes wanted", u64::from(wanted), 32 * sectors),
        ]
    })
}
