//! A logarithmic axis that may leave out an empty stretch.
//!
//! One thread of a GPU is thousands of times slower than all of them: on a plain axis every later
//! step would share the last tenth of the width. So the widest gap is cut out where it holds most
//! of the axis; the picture marks the cut. On both sides of it a decade is as long.

/// The least gap that is worth a cut, in factors of ten.
const LEAST_CUT: f64 = 1.5;
/// The share of the axis that it must hold.
const LEAST_SHARE: f64 = 0.4;
/// Round values of a decade. Between any neighbours, ends included, lies a 1, 2 or 5.
const ROUND: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];
/// Width of the cut in pixels.
const CUT_WIDTH: f64 = 84.0;

/// Where speeds lie on the picture.
pub struct Axis {
    /// One, or two with the cut between them.
    pieces: Vec<Piece>,
    /// Pixels of a factor of ten.
    decade: f64,
}

struct Piece {
    low: f64,
    high: f64,
    left: f64,
}

impl Axis {
    /// An axis for these values (finite and above zero), from pixel `left` to pixel `right`; none
    /// without a value.
    pub fn new(values: &[f64], left: i32, right: i32) -> Option<Axis> {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let spans = match widest_gap(&values) {
            Some((below, above)) => vec![(first, below), (above, last)],
            None => vec![(first, last)],
        };
        let spans: Vec<(f64, f64)> = spans.into_iter().map(rounded_outwards).collect();
        let decades: f64 = spans.iter().map(|&(low, high)| decades_between(low, high)).sum();
        let cuts = CUT_WIDTH * (spans.len() - 1) as f64;
        let decade = (f64::from(right - left) - cuts) / decades;
        let mut at = f64::from(left);
        let mut pieces = Vec::new();
        for (low, high) in spans {
            pieces.push(Piece { low, high, left: at });
            at += decades_between(low, high) * decade + CUT_WIDTH;
        }
        Some(Axis { pieces, decade })
    }

    /// The pixel of a value.
    pub fn x(&self, value: f64) -> i32 {
        let inside = |piece: &&Piece| value <= piece.high;
        match self.pieces.iter().find(inside).or(self.pieces.last()) {
            Some(piece) => {
                (piece.left + decades_between(piece.low, value) * self.decade).round() as i32
            }
            None => 0,
        }
    }

    /// The pixels between which values are left out.
    pub fn cut(&self) -> Option<(i32, i32)> {
        let [below, above] = self.pieces.as_slice() else {
            return None;
        };
        Some((self.x(below.high), above.left.round() as i32))
    }

    /// Round values to label.
    pub fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = match self.decade {
            800.0.. => &ROUND,
            240.0.. => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let mut ticks = Vec::new();
        for piece in &self.pieces {
            let decades = piece.low.log10().floor() as i32..=piece.high.log10().ceil() as i32;
            let values = decades.flat_map(|e| steps.iter().map(move |step| step * 10f64.powi(e)));
            // A little beyond, for the rounding of powers.
            let range = piece.low * 0.999..=piece.high * 1.001;
            ticks.extend(values.filter(|value| range.contains(value)));
        }
        ticks
    }
}

/// Factors of ten from one value to another, whose quotient may be more than a number can hold.
fn decades_between(low: f64, high: f64) -> f64 {
    high.log10() - low.log10()
}

/// The neighbours in sorted values between which a cut is worth its while.
fn widest_gap(values: &[f64]) -> Option<(f64, f64)> {
    let whole = decades_between(*values.first()?, *values.last()?);
    let gaps = values.windows(2).map(|pair| (pair[0], pair[1]));
    let (below, above) =
        gaps.max_by(|a, b| decades_between(a.0, a.1).total_cmp(&decades_between(b.0, b.1)))?;
    let gap = decades_between(below, above);
    (gap > LEAST_CUT && gap > LEAST_SHARE * whole).then_some((below, above))
}

/// The nearest round values below and above a range, and a little off it.
fn rounded_outwards((low, high): (f64, f64)) -> (f64, f64) {
    let (low, high) = (low * 0.98, high * 1.02);
    let under = 10f64.powf(low.log10().floor());
    let over = 10f64.powf(high.log10().floor());
    let below = ROUND.iter().rev().find(|&&step| step * under <= low);
    let above = ROUND.iter().find(|&&step| step * over >= high);
    (below.unwrap_or(&1.0) * under, above.unwrap_or(&10.0) * over)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equally_long() {
        let axis = Axis::new(&[1.3, 2.6, 40.0], 100, 900).unwrap();
        assert!(axis.cut().is_none());
        let double = axis.x(2.0) - axis.x(1.0);
        assert!((axis.x(40.0) - axis.x(20.0) - double).abs() <= 1);
        assert_eq!((axis.x(1.0), axis.x(50.0)), (100, 900));
    }

    #[test]
    fn a_wide_gap_is_cut_and_scales_agree() {
        let axis = Axis::new(&[0.004, 500.0, 750.0, 1600.0], 0, 1000).unwrap();
        let (from, to) = axis.cut().unwrap();
        assert_eq!(to - from, 84);
        assert!(axis.x(0.004) < from && axis.x(500.0) > to);
        let double = axis.x(0.004) - axis.x(0.002);
        assert!((axis.x(1000.0) - axis.x(500.0) - double).abs() <= 1);
        assert_eq!(axis.x(2000.0), 1000);
        let ticks = axis.ticks();
        assert!(ticks.iter().any(|&tick| tick < 0.1) && ticks.iter().any(|&tick| tick > 100.0));
        assert!(ticks.iter().all(|&tick| !(0.1..100.0).contains(&tick)));
    }

    #[test]
    fn one_value_has_an_axis_around_it() {
        let axis = Axis::new(&[7.0], 0, 100).unwrap();
        assert!((1..100).contains(&axis.x(7.0)));
        assert!(!axis.ticks().is_empty());
        assert!(Axis::new(&[], 0, 100).is_none());
    }

    #[test]
    fn extreme_values_stay_inside() {
        let axis = Axis::new(&[1e-300, 1e300], 0, 800).unwrap();
        for value in [1e-300, 1e300] {
            assert!((0..=800).contains(&axis.x(value)));
        }
    }
}
