//! A flag that a kernel tests, or that the compiler knows.

use crate::figures::kit::drawing::Drawing;

pub fn template() -> String {
    let mut drawing = Drawing::new(
        214.0,
        "One kernel with both paths: every thread has the registers of the larger path, so few threads fit. Two kernels: the small path has few \
         registers, and many threads fit",
    );
    drawing.text((4.0, 14.0), "one kernel with a flag");
    drawing.cell("load", (4.0, 22.0), (70.0, 68.0), "counts");
    drawing.cell("busy", (80.0, 22.0), (70.0, 16.0), "copies");
    drawing.dashed((80.0, 42.0), (70.0, 48.0), "reserved");
    drawing.text(
        (166.0, 36.0),
        "Registers are reserved for\nthe larger path, whichever\nis taken: few threads fit.",
    );
    drawing.text((4.0, 122.0), "a template: two kernels");
    drawing.cell("load", (4.0, 130.0), (70.0, 68.0), "counts");
    drawing.cell("busy", (80.0, 130.0), (70.0, 16.0), "copies");
    drawing.text((166.0, 144.0), "The compiler removes the\nother path: the copy has\nfew registers, and the chip\nis full of threads.");
    drawing.text((4.0, 212.0), "height: registers of a thread");
    drawing.html()
}
