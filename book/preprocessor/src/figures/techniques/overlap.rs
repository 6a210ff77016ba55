//! What a technique saves: time in which units are idle, trips to memory, loads of the same element.

use crate::figures::kit::drawing::Drawing;

/// Copies and kernel in one stream, and halves of them in two.
pub fn streams() -> String {
    /// How long each of the three takes for all of the data.
    const WHOLE: f64 = 96.0;
    const LEFT: f64 = 64.0;
    const STAGES: [(&str, &str); 3] =
        [("load", "copy in"), ("busy", "kernel"), ("load", "copy out")];
    let mut drawing = Drawing::new(
        242.0,
        "Copy in, kernel and copy out. In one stream they follow each other. In two streams with half of the data each, the second \
         half is copied in while the kernel works on the first",
    );
    for (top, title, streams) in
        [(0.0, "one stream", 1), (112.0, "two streams, half of the data each", 2)]
    {
        drawing.text((4.0, top + 14.0), title);
        let width = WHOLE / f64::from(streams);
        for (stage, (fill, name)) in STAGES.into_iter().enumerate() {
            let row = top + 22.0 + 28.0 * stage as f64;
            drawing.text((4.0, row + 16.0), name);
            for stream in 0..streams {
                // A half begins a stage when it is done with the one before, and the half before it is done with this one.
                let left = LEFT + width * (stage as f64 + f64::from(stream));
                let name = if streams > 1 { (stream + 1).to_string() } else { String::new() };
                drawing.cell(fill, (left, row), (width - 2.0, 24.0), &name);
            }
        }
    }
    drawing.arrow((LEFT, 222.0), (354.0, 222.0));
    drawing.end((354.0, 238.0), "time");
    drawing.html()
}

/// Operations in kernels of their own, and in one.
pub fn fused() -> String {
    const OPERATIONS: [&str; 5] = ["+", "×", "| |", "√", "min"];
    const TRIP: f64 = 16.0;
    const WIDE: f64 = 36.0;
    let mut drawing = Drawing::new(
        146.0,
        "Five operations. In five kernels each reads its operands from memory and writes its result there. In one kernel only the \
         first reads and only the last writes",
    );
    for (top, title, is_fused) in [(0.0, "five kernels", false), (62.0, "one kernel", true)] {
        drawing.text((4.0, top + 14.0), title);
        let mut left = 4.0;
        for (place, name) in OPERATIONS.into_iter().enumerate() {
            let reads = !is_fused || place == 0;
            let writes = !is_fused || place + 1 == OPERATIONS.len();
            for (fill, width, name) in [
                ("load", if reads { TRIP } else { 0.0 }, ""),
                ("busy", WIDE, name),
                ("load", if writes { TRIP } else { 0.0 }, ""),
            ] {
                if width > 0.0 {
                    drawing.cell(fill, (left, top + 22.0), (width, 26.0), name);
                }
                left += width;
            }
            left += if is_fused { 0.0 } else { 3.0 };
        }
    }
    drawing.legend((4.0, 140.0), "load", "memory is read or written");
    drawing.html()
}

/// Results of a filter that share their elements.
pub fn window() -> String {
    const COEFFICIENTS: usize = 5;
    const RESULTS: usize = 4;
    const WIDE: f64 = 40.0;
    const LEFT: f64 = 18.0;
    let elements = COEFFICIENTS + RESULTS - 1;
    let mut drawing = Drawing::new(
        158.0,
        format!(
            "{RESULTS} neighbouring results of a filter with {COEFFICIENTS} coefficients need {elements} elements in all, and each \
             of them {COEFFICIENTS}"
        ),
    );
    drawing.text(
        (4.0, 14.0),
        &format!("with {COEFFICIENTS} coefficients: {elements} elements, each read once"),
    );
    drawing.row((LEFT, 22.0), (WIDE, 26.0), (0..elements).map(|element| ("load", element)));
    for result in 0..RESULTS {
        let left = LEFT + WIDE * result as f64;
        let row = 56.0 + 20.0 * result as f64;
        drawing.filled("busy", (left + 4.0, row), (WIDE * COEFFICIENTS as f64 - 8.0, 14.0));
    }
    drawing.text((4.0, 152.0), &format!("the elements that each of {RESULTS} results needs"));
    drawing.html()
}
