//! Registers of a CPU: how many lanes they have, and what they hold of a block of bodies.

use cpu_09_register_blocks::ROWS;
use vectors::Vectors;

use crate::figures::kit::drawing::Drawing;

/// Vectors of three instruction sets.
pub fn lanes() -> String {
    let kinds = [
        ("NEON, and what every x86 has", Vectors::Neon),
        ("AVX2", Vectors::Avx2),
        ("AVX-512", Vectors::Avx512),
    ];
    let mut drawing = Drawing::new(172.0, "Registers of 4, 8 and 16 lanes");
    for (k, (name, kind)) in kinds.into_iter().enumerate() {
        let (top, lanes) = (58.0 * k as f64, kind.lanes());
        drawing.text((4.0, top + 14.0), &format!("{name}: {lanes} lanes"));
        drawing.row((4.0, top + 22.0), (22.0, 26.0), vec![("busy", ""); lanes]);
    }
    drawing.html()
}

/// Bodies in registers that share a vector of others.
pub fn blocks() -> String {
    let mut drawing = Drawing::new(
        162.0,
        "Four bodies in registers meet a vector of others, which is read and written once for all four",
    );
    drawing.text((4.0, 14.0), "in registers: bodies i, their positions, their sums");
    let wide = 352.0 / ROWS as f64;
    for row in 0..ROWS {
        let left = 4.0 + wide * row as f64;
        let index = char::from_u32(0x2080 + row as u32).unwrap_or_default();
        drawing.cell("busy", (left, 24.0), (wide - 8.0, 28.0), &format!("i{index}"));
        drawing.line((left + wide / 2.0 - 4.0, 52.0), (130.0 + 26.0 * row as f64, 88.0));
    }
    drawing.outline((4.0, 90.0), (352.0, 28.0));
    drawing.row((116.0, 90.0), (28.0, 28.0), [("load", ""); 4]);
    drawing.text((4.0, 136.0), "in memory: the others j, and their sums; a vector\nof them is read once, written once, for all");
    drawing.html()
}
