//! What tensor cores take: matrices of halves, numbers in two or three of them, and sums that are cut off.

use crate::figures::kit::drawing::{Drawing, Point};

/// Significant bits of a single, and of a half.
const SINGLE: usize = f32::MANTISSA_DIGITS as usize;
const HALF: usize = 11;
/// Width of a bit.
const BIT: f64 = 14.6;

/// A matrix of 16 × 16 transposed as four of 8 × 8.
pub fn transposed() -> String {
    let mut drawing = Drawing::new(
        156.0,
        "A 16 by 16 operand is four matrices of 8 by 8. Each is transposed by itself, and the two off the diagonal change places",
    );
    for (left, title, names) in [
        (4.0, "bodies × partners", ["x", "z", "y", "w"]),
        (248.0, "partners × bodies", ["xᵀ", "yᵀ", "zᵀ", "wᵀ"]),
    ] {
        drawing.text((left, 14.0), title);
        for (k, name) in names.into_iter().enumerate() {
            let corner = (left + 50.0 * (k % 2) as f64, 24.0 + 50.0 * (k / 2) as f64);
            let fill = if name.starts_with('z') { "busy" } else { "load" };
            drawing.cell(fill, corner, (48.0, 48.0), name);
        }
    }
    drawing.middle((175.0, 64.0), "4 × movmatrix");
    drawing.arrow((112.0, 73.0), (238.0, 73.0));
    drawing.text((4.0, 148.0), "z and y change places: that is only a matter of names");
    drawing.html()
}

/// The bits of a number that two halves keep.
pub fn split() -> String {
    let mut drawing = Drawing::new(
        204.0,
        "The 24 bits of a single are covered by two halves of 11, and two bits are left over",
    );
    for (top, fill, first, count, title) in [
        (0.0, "", 0, SINGLE, format!("s: {SINGLE} bits")),
        (60.0, "busy", 0, HALF, format!("first half: s rounded to {HALF} bits")),
        (120.0, "load", HALF, HALF, format!("second half: what is left, again in {HALF} bits")),
    ] {
        drawing.text((4.0, top + 14.0), &title);
        bits(&mut drawing, (4.0 + BIT * first as f64, top + 22.0), fill, count);
    }
    drawing.text((4.0, 194.0), "The powers of two in front are not drawn.");
    drawing.html()
}

fn bits(drawing: &mut Drawing, corner: Point, fill: &'static str, count: usize) {
    drawing.row(corner, (BIT, 22.0), vec![(fill, ""); count]);
}

/// Sixteen products for one squared distance.
pub fn slots() -> String {
    let slots = "−2x₁ x′₁,−2y₁ y′₁,−2z₁ z′₁,p₁ 1,1 q₁,p₂ 1,1 q₂,0 0,−2x₁ x′₂,−2x₂ x′₁,−2y₁ y′₂,−2y₂ y′₁,−2z₁ z′₂,−2z₂ z′₁,p₃ 1,1 q₃";
    let mut drawing = Drawing::new(
        314.0,
        "Sixteen products for one squared distance: nine of coordinates, six of the squares, one slot is empty",
    );
    for (slot, factors) in slots.split(',').enumerate() {
        let (left, top) = (56.0 + 37.5 * (slot % 8) as f64, 104.0 * (slot / 8) as f64);
        let fill = match factors {
            "0 0" => "",
            coordinates if coordinates.starts_with('−') => "busy",
            _ => "load",
        };
        drawing.middle((left + 18.0, top + 14.0), &slot.to_string());
        for (k, factor) in factors.split(' ').enumerate() {
            drawing.cell(fill, (left, top + 22.0 + 36.0 * k as f64), (36.0, 26.0), factor);
        }
        drawing.middle((left + 18.0, top + 57.0), "·");
    }
    for top in [0.0, 104.0] {
        drawing.text((4.0, top + 39.0), "body");
        drawing.text((4.0, top + 75.0), "partner");
    }
    drawing.legend(
        (4.0, 218.0),
        "busy",
        "−2 x x′ − 2 y y′ − 2 z z′: coordinates in two halves,\nwithout second · second",
    );
    drawing.legend(
        (4.0, 254.0),
        "load",
        "|p|² = p₁ + p₂ + p₃ and |q|² + ε² = q₁ + q₂ + q₃,\nin three halves each",
    );
    drawing.text(
        (4.0, 292.0),
        "Powers of two, which keep all of them within the range\nof halves, are not drawn.",
    );
    drawing.html()
}
