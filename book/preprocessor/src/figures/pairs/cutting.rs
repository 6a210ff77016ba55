//! A long sum whose terms are cut off, and the same rounded to nearest.

use crate::figures::kit::drawing::Drawing;

/// Terms of the sum.
const TERMS: u32 = 60;
/// Bits that a sum keeps after the binary point; its terms have many more.
const KEPT: f64 = 64.0;
/// Where the error is zero, the height of one unit of it, and the width of a term.
const ZERO: f64 = 186.0;
const UNIT: f64 = 3.2;
const STEP: f64 = 5.5;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        292.0,
        "Above: of a small term added to a large sum, the last bits do not fit. Below: rounded to nearest, errors wander about zero; \
         cut off, they add up to one side",
    );
    drawing.text((4.0, 14.0), "a sum, and a term to be added");
    drawing.row((4.0, 24.0), (15.0, 20.0), [("", ""); 16]);
    drawing.row((94.0, 50.0), (15.0, 20.0), [("load", ""); 10]);
    for bit in 0..4 {
        drawing.dashed((246.0 + 15.0 * f64::from(bit), 50.0), (13.0, 20.0), "");
    }
    drawing.text(
        (4.0, 90.0),
        "its last bits find no place: cut off, the sum is always\ntoo small, never too large",
    );
    drawing.text((4.0, 144.0), "error of the sum, term after term");
    drawing.line((20.0, 156.0), (20.0, 288.0));
    drawing.line((20.0, ZERO), (352.0, ZERO));
    drawing.middle((10.0, ZERO + 4.0), "0");
    for (fill, rounded) in [("busy", f64::round as fn(f64) -> f64), ("load", f64::floor)] {
        let look = format!("style=\"stroke: var(--{fill})\" stroke-width=\"2\"");
        let points = errors(rounded).into_iter().enumerate();
        let place = |(term, error)| (20.0 + STEP * term as f64, ZERO - UNIT * error);
        drawing.path(&look, points.map(place));
    }
    drawing.end((352.0, 172.0), "rounded to nearest");
    drawing.text((60.0, 280.0), "cut off, towards zero");
    drawing.html()
}

/// How far a sum is from the exact one after each of its terms, in units of its last bit.
fn errors(rounded: fn(f64) -> f64) -> Vec<f64> {
    let (mut exact, mut sum, mut seed) = (0.0, 0.0, 1_u32);
    let mut errors = vec![0.0];
    for _ in 0..TERMS {
        // A linear congruential generator: its high bits are a term from 0 to 64.
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let term = f64::from(seed >> 8) / f64::from(1 << 24) * KEPT;
        exact += term;
        sum = rounded(sum + term);
        errors.push(sum - exact);
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_cut_off_adds_up() {
        let last = |rounded| errors(rounded).pop().expect("an error");
        assert!(last(f64::round).abs() < 6.0, "{}", last(f64::round));
        assert!((-0.6..-0.4).contains(&(last(f64::floor) / f64::from(TERMS))));
    }
}
