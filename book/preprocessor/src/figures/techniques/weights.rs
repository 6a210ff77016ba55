//! A position between texels, and what each of them contributes.

use crate::figures::kit::drawing::Drawing;

/// The position, in texels from the upper left of the four.
const AT: (f64, f64) = (0.3, 0.6);

/// The weights of the four texels around it, by rows.
fn weights((x, y): (f64, f64)) -> [f64; 4] {
    [(1.0 - x) * (1.0 - y), x * (1.0 - y), (1.0 - x) * y, x * y]
}

pub fn linear() -> String {
    const SIDE: f64 = 150.0;
    const CORNER: (f64, f64) = (44.0, 34.0);
    let mut drawing = Drawing::new(
        232.0,
        "Four texels at the corners of a square and a position between them. The weight of each texel is the area of the rectangle opposite \
         to it",
    );
    let at = (CORNER.0 + SIDE * AT.0, CORNER.1 + SIDE * AT.1);
    drawing.outline(CORNER, (SIDE, SIDE));
    // The rectangle opposite to a texel is its weight.
    drawing.tinted("busy", at, (SIDE * (1.0 - AT.0), SIDE * (1.0 - AT.1)));
    drawing.line((at.0, CORNER.1), (at.0, CORNER.1 + SIDE));
    drawing.line((CORNER.0, at.1), (CORNER.0 + SIDE, at.1));
    for (place, weight) in weights(AT).into_iter().enumerate() {
        let (right, below) = (place % 2 == 1, place / 2 == 1);
        let x = CORNER.0 + if right { SIDE } else { 0.0 };
        let y = CORNER.1 + if below { SIDE } else { 0.0 };
        drawing.dot("load", (x, y), 7.0);
        let words = format!("{weight:.2}");
        drawing.middle((x, if below { y + 24.0 } else { y - 14.0 }), &words);
    }
    drawing.dot("busy", at, 6.0);
    drawing.text(
        (220.0, 60.0),
        "The weight of the\nupper left texel is\nthe area of the filled\nrectangle, opposite\nto it. Together the\nfour are 1.\n\nA texture unit rounds\nweights to 1/256.",
    );
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_one_together() {
        assert!((weights(AT).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(weights((0.0, 0.0)), [1.0, 0.0, 0.0, 0.0]);
    }
}
