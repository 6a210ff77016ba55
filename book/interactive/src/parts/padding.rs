//! The width of a tile → bank conflicts.

use super::file::file;
use crate::answer::{Answer, fact};
use crate::error::Error;
use crate::part::{Kind, Knob, Part, Values};
use crate::request::Request;

pub const PART: Part = Part {
    name: "padding",
    title: "Padding and banks",
    text: "A tile of 32 × 32 words is stored by rows and read by columns. How many words apart should its rows begin? Below are the banks that one warp's load of a column asks.",
    kind: Kind::Memory,
    knobs: &[Knob {
        name: "width",
        label: "words from row to row",
        choices: &["32", "33", "34", "36", "40", "48", "63", "64"],
        start: "32",
    }],
    table: Some("width"),
    ask,
};

fn ask(values: &Values) -> Result<Answer, Error> {
    let width = values.number("width")?;
    let request = Request {
        file: "book/interactive/kernels/padding",
        source: file!("book/interactive/kernels/padding.cu"),
        ptx: file!("book/interactive/kernels/padding.ptx").to_owned(),
        kernel: "columns",
        grid: 1,
        block: 256,
        arguments: vec![
            "f32[1024]=uninit".to_owned(),
            "f32[1024]=rand".to_owned(),
            format!("i32={width}"),
        ],
        constants: Vec::new(),
        recorded: 400,
        hazards: false,
    };
    // 32 rows are stored and 32 columns loaded; a row takes one pass.
    Answer::of(&request, |total| {
        let passes = (total.shared_wavefronts - 32) as f64 / 32.0;
        vec![
            fact("passes for a column", passes),
            fact("bytes of the tile", f64::from(4 * 32 * width)),
        ]
    })
}
