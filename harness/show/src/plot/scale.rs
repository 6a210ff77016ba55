//! A plain axis, linear or logarithmic, from one pixel to another in either direction.

/// Round steps of a linear axis, in any power of ten.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];
/// Least pixels from one tick to the next.
const ROOM: f64 = 60.0;

/// Where values lie between two pixels.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Scale {
    /// A logarithmic scale that holds these values, those that are not above zero left out; none
    /// where nothing is left.
    pub fn logarithmic(values: impl IntoIterator<Item = f64>, from: i32, to: i32) -> Option<Scale> {
        let usable = values.into_iter().filter(|value| value.is_normal() && *value > 0.0);
        let (mut low, mut high) = ends(usable)?;
        if high < 10.0 * low {
            // So that there are ticks, whatever the values.
            (low, high) = (round(low, false), round(high, true));
        }
        // Room for the marks at the ends.
        let (low, high) = (low / 1.12, high * 1.12);
        Some(Scale { low, high, from: from.into(), to: to.into(), logarithmic: true })
    }

    /// A linear scale from `low` to a round value that is no less than `high`.
    pub fn linear(low: f64, high: f64, from: i32, to: i32) -> Scale {
        let high = if high > low && high.is_finite() { high } else { low + 1.0 };
        let mut scale = Scale { low, high, from: from.into(), to: to.into(), logarithmic: false };
        let step = scale.step();
        scale.high = low + ((high - low) / step - 1e-9).ceil() * step;
        scale
    }

    /// A linear scale around zero that reaches a round value no less than `most` on either side.
    pub fn around(most: f64, from: i32, to: i32) -> Scale {
        let half = Scale::linear(0.0, most, (from + to) / 2, to);
        Scale { low: -half.high, from: from.into(), ..half }
    }

    /// The pixel of a value; one beyond the ends lies at the end.
    pub fn at(&self, value: f64) -> i32 {
        let share = if self.logarithmic {
            (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        (self.from + share.clamp(0.0, 1.0) * (self.to - self.from)).round() as i32
    }

    /// The values at its ends.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Round values to label.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            let step = self.step();
            let first = (self.low / step - 1e-9).ceil() as i64;
            let ticks = (first..).map(|at| at as f64 * step);
            return ticks.take_while(|&tick| tick <= self.high + 1e-9 * step).collect();
        }
        let decades = self.high.log10() - self.low.log10();
        let decade = (self.to - self.from).abs() / decades;
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let (steps, every): (&[f64], usize) = if decade >= 4.0 * ROOM {
            (&STEPS, 1)
        } else {
            (&STEPS[..1], (ROOM / decade).ceil() as usize)
        };
        let powers = (first..=last).filter(|power| power.rem_euclid(every as i32) == 0);
        let values = powers.flat_map(|power| steps.iter().map(move |s| s * 10f64.powi(power)));
        values.filter(|value| (self.low..=self.high).contains(value)).collect()
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

/// The nearest round value that is no less, or else no more.
fn round(value: f64, up: bool) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let mut steps = STEPS.iter().map(|step| step * power);
    if up {
        steps.find(|&round| round >= value).unwrap_or(10.0 * power)
    } else {
        steps.rfind(|&round| round <= value).unwrap_or(power)
    }
}

/// Least and greatest of values.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |ends, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_scale_gives_equal_factors_equal_lengths() {
        let scale = Scale::logarithmic([1e3, 0.0, 1e6, f64::NAN], 800, 0).unwrap();
        assert!((scale.at(1e4) - scale.at(1e3) - (scale.at(1e6) - scale.at(1e5))).abs() <= 1);
        assert!(scale.at(1e6) > 0 && scale.at(1e3) < 800);
        assert_eq!((scale.at(1e9), scale.at(1.0)), (0, 800));
        let ticks = scale.ticks();
        assert!(ticks.contains(&1e3) && ticks.contains(&1e6), "{ticks:?}");
        assert!(Scale::logarithmic([0.0, -1.0], 0, 1).is_none());
    }

    #[test]
    fn values_close_together_have_ticks_around_them() {
        let scale = Scale::logarithmic([1100.0, 1700.0], 0, 600).unwrap();
        assert_eq!(scale.ticks(), [1000.0, 2000.0]);
        assert_eq!(Scale::logarithmic([7.0], 0, 600).unwrap().ticks(), [5.0, 10.0]);
    }

    #[test]
    fn a_linear_scale_ends_at_a_round_value() {
        let scale = Scale::linear(0.0, 1734.0, 600, 0);
        assert_eq!(scale.ends(), (0.0, 1800.0));
        assert_eq!(
            scale.ticks(),
            [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0, 1200.0, 1400.0, 1600.0, 1800.0]
        );
        assert_eq!((scale.at(0.0), scale.at(900.0), scale.at(1800.0)), (600, 300, 0));
        let around = Scale::around(0.019, 0, 400);
        assert_eq!((around.ends(), around.at(0.0)), ((-0.02, 0.02), 200));
        assert!(around.ticks().contains(&0.0));
        assert!(Scale::linear(0.0, 0.0, 0, 100).at(0.0) == 0);
    }

    #[test]
    fn many_decades_have_few_ticks() {
        let scale = Scale::logarithmic([1e-300, 1e300], 0, 800).unwrap();
        assert!(scale.ticks().len() < 16, "{:?}", scale.ticks().len());
    }
}
