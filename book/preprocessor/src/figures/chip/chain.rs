//! Boxes in a row, with an arrow from each to the next: steps of a ladder, and languages of a kernel.

use crate::figures::kit::drawing::Drawing;

/// Height of a box.
const HIGH: f64 = 40.0;

/// From the source to what a chip executes.
pub fn languages() -> String {
    let mut drawing = Drawing::new(
        100.0,
        "CUDA source is compiled to PTX, which every GPU can take; an assembler makes machine code of one kind of GPU from it",
    );
    let middles = chain(&mut drawing, 20.0, 76.0, ["CUDA C++", "PTX", "SASS"]);
    for (k, words) in ["compiler", "assembler"].into_iter().enumerate() {
        drawing.middle((f64::midpoint(middles[k], middles[k + 1]), 14.0), words);
    }
    drawing.middle((middles[1], 78.0), "for every GPU;\nsimulated here");
    drawing.middle((middles[2], 78.0), "for one kind;\nruns");
    drawing.html()
}

/// Steps, each from its parent, and a detour.
pub fn ladder() -> String {
    let mut drawing = Drawing::new(
        140.0,
        "Four steps in a row, each with an arrow from its parent; a detour branches off one of them and leads nowhere",
    );
    let middles = chain(&mut drawing, 76.0, 62.0, ["step", "its child", "…", "fastest"]);
    for pair in middles.windows(2) {
        drawing.middle((f64::midpoint(pair[0], pair[1]), 134.0), "one idea");
    }
    drawing.dashed((middles[2] - 31.0, 4.0), (62.0, HIGH), "detour");
    drawing.line((middles[1], 76.0), (middles[1], 24.0));
    drawing.arrow((middles[1], 24.0), (middles[2] - 33.0, 24.0));
    drawing.html()
}

/// Boxes over the whole width; where their middles are.
fn chain<const N: usize>(drawing: &mut Drawing, top: f64, wide: f64, names: [&str; N]) -> [f64; N] {
    let pitch = (352.0 - wide) / (N - 1) as f64;
    let middles = std::array::from_fn(|k| 4.0 + wide / 2.0 + pitch * k as f64);
    for (k, name) in names.into_iter().enumerate() {
        let left = middles[k] - wide / 2.0;
        drawing.cell("", (left, top), (wide, HIGH), name);
        if k > 0 {
            drawing.arrow((left - pitch + wide, top + HIGH / 2.0), (left - 2.0, top + HIGH / 2.0));
        }
    }
    middles
}
