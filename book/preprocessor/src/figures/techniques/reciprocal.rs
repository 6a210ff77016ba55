//! A division by a constant as a multiplication.

use crate::figures::kit::drawing::Drawing;

/// The divisor that is drawn, the value, and the bits behind which the quotient begins.
const DIVISOR: u64 = 7;
const VALUE: u64 = 1000;
const SHIFT: u32 = 35;

/// The reciprocal, rounded up.
fn factor() -> u64 {
    (1 << SHIFT) / DIVISOR + 1
}

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        190.0,
        "1000 divided by 7 as a product with the rounded-up reciprocal of 7: its upper part is the quotient, 142",
    );
    drawing.text((4.0, 14.0), &format!("{VALUE} / {DIVISOR}: the compiler knows the divisor"));
    drawing.cell("load", (4.0, 24.0), (90.0, 28.0), &VALUE.to_string());
    drawing.middle((108.0, 43.0), "×");
    drawing.cell("load", (122.0, 24.0), (130.0, 28.0), &factor().to_string());
    drawing.text((260.0, 36.0), &format!("= 2³⁵ / {DIVISOR},\nrounded up"));
    let product = u128::from(VALUE) * u128::from(factor());
    let (upper, lower) = (product >> SHIFT, product & ((1 << SHIFT) - 1));
    drawing.arrow((120.0, 56.0), (120.0, 82.0));
    drawing.cell("busy", (4.0, 84.0), (110.0, 28.0), &upper.to_string());
    drawing.cell("", (116.0, 84.0), (238.0, 28.0), &format!("lower {SHIFT} bits: {lower}"));
    drawing.text((4.0, 138.0), "The upper part is the quotient, for every value of 32 bits:\none multiplication and one shift. A divisor that is known\nonly at run time takes many instructions.");
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest values, and those on both sides of multiples of the divisor, which a wrong factor misses first.
    #[test]
    fn the_product_gives_the_quotient_of_every_value_that_is_tried() {
        let edges = (0..1000).chain((1 << 32) - 1000..1 << 32);
        let spread = (0..100_000).map(|k| k * 42_949);
        for value in edges.chain(spread) {
            let product = u128::from(value) * u128::from(factor());
            assert_eq!(product >> SHIFT, u128::from(value / DIVISOR), "{value}");
        }
    }
}
