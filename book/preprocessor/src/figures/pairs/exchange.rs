//! What several GPUs exchange, and when.

use crate::figures::kit::drawing::{Drawing, Part};

const GPUS: usize = 4;
/// A GPU's share of the bodies.
const SHARE: f64 = 16.0;

/// Each GPU moves its own bodies, and gets those of the others.
pub fn gather() -> String {
    let mut drawing = Drawing::new(
        178.0,
        "Four GPUs: each moves a quarter of the bodies; after an all-gather each knows all of them",
    );
    for (y, name) in [(46.0, "moves"), (101.0, "all-gather"), (164.0, "knows")] {
        drawing.text((4.0, y), name);
    }
    for gpu in 0..GPUS {
        let left = 68.0 + 74.0 * gpu as f64;
        let middle = left + SHARE * GPUS as f64 / 2.0;
        drawing.middle((middle, 16.0), &format!("GPU {gpu}"));
        let own = (0..GPUS).map(|part| (if part == gpu { "busy" } else { "" }, ""));
        drawing.row((left, 30.0), (SHARE, 24.0), own);
        drawing.row((left, 148.0), (SHARE, 24.0), [("busy", ""); GPUS]);
        let share = left + SHARE * (gpu as f64 + 0.5);
        drawing.line((share, 54.0), (share, 97.0));
        drawing.arrow((middle, 97.0), (middle, 146.0));
    }
    drawing.line((68.0, 97.0), (354.0, 97.0));
    drawing.html()
}

/// Bodies divided: positions travel while a GPU's own bodies are summed over.
pub fn bodies() -> String {
    let kernels = [
        ("busy", 4.0, 62.0, "advance"),
        ("busy", 64.0, 134.0, "near"),
        ("busy", 136.0, 294.0, "force"),
        ("busy", 296.0, 354.0, "advance"),
    ];
    let words = "Two rows over time. Kernels: advance, near, force, advance. Exchange: positions travel while near runs";
    times(words, &kernels, &[("load", 64.0, 134.0, "positions")])
}

/// Pairs divided: sums travel too, and nothing else can be done meanwhile.
pub fn pairs() -> String {
    let kernels = [
        ("busy", 4.0, 62.0, "advance"),
        ("busy", 64.0, 134.0, "near"),
        ("busy", 136.0, 196.0, "force"),
        ("busy", 240.0, 294.0, "correct"),
        ("busy", 296.0, 354.0, "advance"),
    ];
    let words = "Two rows over time. Kernels: advance, near, force, a wait, correct, advance. Exchange: positions travel while near \
                 runs, sums after force";
    let exchanged = [("load", 64.0, 134.0, "positions"), ("load", 198.0, 238.0, "sums")];
    times(words, &kernels, &exchanged)
}

fn times(words: &str, kernels: &[Part], exchanged: &[Part]) -> String {
    let mut drawing = Drawing::new(132.0, words);
    for (top, name, parts) in [(4.0, "kernels", kernels), (54.0, "exchange", exchanged)] {
        drawing.text((4.0, top + 11.0), name);
        drawing.bars(top + 18.0, 24.0, parts);
    }
    drawing.arrow((4.0, 108.0), (354.0, 108.0));
    drawing.end((354.0, 126.0), "time");
    drawing.html()
}
