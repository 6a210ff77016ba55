//! Where values lie between two pixels: linear or logarithmic, in either direction.
//!
//! A logarithmic scale may leave out an empty stretch ([`Scale::with_cut`]): one thread of a GPU is
//! thousands of times slower than all of them, and on a plain scale every later step would share
//! the last tenth of the width. On both sides of the cut a decade is as long.

/// Round steps of a linear scale, in any power of ten.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];
/// Round values of a wide decade. Between any neighbours, ends included, lies a 1, 2 or 5.
const ROUND: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0];
/// Least pixels from one tick to the next.
const ROOM: f64 = 60.0;
/// The least gap that is worth a cut, in factors of ten, and the share of all that it must hold.
const LEAST_CUT: f64 = 1.5;
const LEAST_SHARE: f64 = 0.4;
const CUT_WIDTH: f64 = 84.0;

#[derive(Debug, Clone)]
pub struct Scale {
    /// One, or two with the cut between them.
    pieces: Vec<Piece>,
    logarithmic: bool,
}

/// Values from `low` to `high` lie between the pixels `from` and `to`.
#[derive(Debug, Clone, Copy)]
struct Piece {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A logarithmic scale that holds these values, those that are not above zero left out; `None`
    /// where nothing is left.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>, from: i32, to: i32) -> Option<Scale> {
        let usable = values.into_iter().filter(|value| value.is_normal() && *value > 0.0);
        let (mut low, mut high) = usable.fold(None, |ends, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((value.min(low), value.max(high)))
        })?;
        if high < 10.0 * low {
            // So that there are ticks, whatever the values.
            (low, high) = (round(low, false, &STEPS), round(high, true, &STEPS));
        }
        // Room for the marks at the ends.
        let (low, high) = (low / 1.12, high * 1.12);
        let piece = Piece { low, high, from: from.into(), to: to.into() };
        Some(Scale { pieces: vec![piece], logarithmic: true })
    }

    /// A logarithmic scale for these values (finite and above zero), from pixel `left` to pixel
    /// `right`, without their widest gap where that holds most of it; `None` without a value.
    pub fn with_cut(values: &[f64], left: i32, right: i32) -> Option<Scale> {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let (first, last) = (*values.first()?, *values.last()?);
        let spans = match widest_gap(&values) {
            Some((below, above)) => vec![(first, below), (above, last)],
            None => vec![(first, last)],
        };
        let outwards = |(low, high): (f64, f64)| {
            (round(0.98 * low, false, &ROUND), round(1.02 * high, true, &ROUND))
        };
        let spans: Vec<(f64, f64)> = spans.into_iter().map(outwards).collect();
        let all: f64 = spans.iter().map(|&(low, high)| decades(low, high)).sum();
        let cuts = CUT_WIDTH * (spans.len() - 1) as f64;
        let decade = (f64::from(right - left) - cuts) / all;
        let mut from = f64::from(left);
        let mut pieces = Vec::new();
        for (low, high) in spans {
            let to = from + decades(low, high) * decade;
            pieces.push(Piece { low, high, from, to });
            from = to + CUT_WIDTH;
        }
        Some(Scale { pieces, logarithmic: true })
    }

    /// A linear scale from `low` to a round value that is no less than `high`.
    pub fn linear(low: f64, high: f64, from: i32, to: i32) -> Scale {
        let high = if high > low && high.is_finite() { high } else { low + 1.0 };
        let mut piece = Piece { low, high, from: from.into(), to: to.into() };
        let step = piece.step();
        piece.high = low + ((high - low) / step - 1e-9).ceil() * step;
        Scale { pieces: vec![piece], logarithmic: false }
    }

    /// A linear scale around zero that reaches a round value no less than `most` on either side.
    pub fn around(most: f64, from: i32, to: i32) -> Scale {
        let mut scale = Scale::linear(0.0, most, (from + to) / 2, to);
        let piece = &mut scale.pieces[0];
        (piece.low, piece.from) = (-piece.high, from.into());
        scale
    }

    /// The pixel of a value; one beyond the ends lies at the end.
    pub fn at(&self, value: f64) -> i32 {
        let last = self.pieces.len() - 1;
        let piece = self.pieces[..last].iter().find(|piece| value <= piece.high);
        let piece = piece.unwrap_or(&self.pieces[last]);
        let share = if self.logarithmic {
            decades(piece.low, value) / decades(piece.low, piece.high)
        } else {
            (value - piece.low) / (piece.high - piece.low)
        };
        (piece.from + share.clamp(0.0, 1.0) * (piece.to - piece.from)).round() as i32
    }

    pub fn ends(&self) -> (f64, f64) {
        (self.pieces[0].low, self.pieces[self.pieces.len() - 1].high)
    }

    /// The pixels between which values are left out.
    pub fn cut(&self) -> Option<(i32, i32)> {
        let [below, above] = self.pieces.as_slice() else { return None };
        Some((below.to.round() as i32, above.from.round() as i32))
    }

    pub fn ticks(&self) -> Vec<f64> {
        let of = |piece: &Piece| if self.logarithmic { piece.powers() } else { piece.multiples() };
        self.pieces.iter().flat_map(of).collect()
    }
}

impl Piece {
    fn multiples(&self) -> Vec<f64> {
        let step = self.step();
        let first = (self.low / step - 1e-9).ceil() as i64;
        let ticks = (first..).map(|at| at as f64 * step);
        ticks.take_while(|&tick| tick <= self.high + 1e-9 * step).collect()
    }

    fn powers(&self) -> Vec<f64> {
        let decade = (self.to - self.from).abs() / decades(self.low, self.high);
        let (steps, every): (&[f64], f64) = match decade {
            800.0.. => (&ROUND, 1.0),
            240.0.. => (&STEPS, 1.0),
            _ => (&STEPS[..1], (ROOM / decade).ceil()),
        };
        let powers = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        let powers = powers.filter(|power| power.rem_euclid(every as i32) == 0);
        let values = powers.flat_map(|power| steps.iter().map(move |s| s * 10f64.powi(power)));
        // A little beyond, for the rounding of powers.
        let range = 0.999 * self.low..=1.001 * self.high;
        values.filter(|value| range.contains(value)).collect()
    }

    /// From one tick of a linear scale to the next.
    fn step(&self) -> f64 {
        let most = ((self.to - self.from).abs() / ROOM).max(1.0);
        let least = (self.high - self.low) / most;
        let power = 10f64.powf(least.log10().floor());
        let round = STEPS.iter().map(|step| step * power).find(|&step| step >= least * 0.999);
        round.unwrap_or(10.0 * power)
    }
}

/// Factors of ten from one value to another, whose quotient may be more than a number can hold.
fn decades(low: f64, high: f64) -> f64 {
    high.log10() - low.log10()
}

/// The neighbours in sorted values between which a cut is worth its while.
fn widest_gap(values: &[f64]) -> Option<(f64, f64)> {
    let whole = decades(*values.first()?, *values.last()?);
    let gaps = values.windows(2).map(|pair| (pair[0], pair[1]));
    let (below, above) = gaps.max_by(|a, b| decades(a.0, a.1).total_cmp(&decades(b.0, b.1)))?;
    let gap = decades(below, above);
    (gap > LEAST_CUT && gap > LEAST_SHARE * whole).then_some((below, above))
}

/// The nearest round value that is no less, or else no more.
fn round(value: f64, up: bool, steps: &[f64]) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let mut steps = steps.iter().map(|step| step * power);
    if up {
        steps.find(|&round| round >= value).unwrap_or(10.0 * power)
    } else {
        steps.rfind(|&round| round <= value).unwrap_or(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_factors_are_equally_long_on_both_sides_of_a_cut() {
        let scale = Scale::logarithmic([1e3, 0.0, 1e6, f64::NAN], 800, 0).expect("values");
        assert!((scale.at(1e4) - scale.at(1e3) - (scale.at(1e6) - scale.at(1e5))).abs() <= 1);
        assert_eq!((scale.at(1e9), scale.at(1.0)), (0, 800));
        assert!(Scale::logarithmic([0.0, -1.0], 0, 1).is_none());
        let scale = Scale::with_cut(&[0.004, 500.0, 750.0, 1600.0], 0, 1000).expect("values");
        let (from, to) = scale.cut().expect("a cut");
        assert!(to - from == 84 && scale.at(0.004) < from && scale.at(500.0) > to);
        let quarter = scale.at(0.005) - scale.at(0.004);
        assert!((scale.at(1000.0) - scale.at(800.0) - quarter).abs() <= 1);
        assert!(scale.ticks().iter().all(|&tick| !(0.1..100.0).contains(&tick)));
        assert!(Scale::with_cut(&[1.3, 2.6, 40.0], 100, 900).expect("values").cut().is_none());
    }

    #[test]
    fn ticks_are_round_and_few() {
        let close = Scale::logarithmic([1100.0, 1700.0], 0, 200).expect("values");
        assert_eq!(close.ticks(), [1000.0, 2000.0]);
        let linear = Scale::linear(0.0, 1734.0, 600, 0);
        assert_eq!(linear.ticks(), (0..10).map(|at| f64::from(200 * at)).collect::<Vec<_>>());
        assert_eq!((linear.at(0.0), linear.at(900.0), linear.at(1800.0)), (600, 300, 0));
        let around = Scale::around(0.019, 0, 400);
        assert_eq!((around.ends(), around.at(0.0)), ((-0.02, 0.02), 200));
        for scale in [
            Scale::with_cut(&[1e-300, 1e300], 0, 800).expect("values"),
            Scale::logarithmic([1e-300, 1e300], 0, 800).expect("values"),
        ] {
            assert!([1e-300, 1e300].iter().all(|value| (0..=800).contains(&scale.at(*value))));
            assert!(scale.ticks().len() < 16, "{}", scale.ticks().len());
        }
    }
}
