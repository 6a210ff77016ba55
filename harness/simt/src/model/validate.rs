//! How well modelled times agree with measured ones.

/// A step's time in the model and on hardware.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What was timed.
    pub step: String,
    /// The step that it is compared with, if any.
    pub parent: Option<String>,
    /// Modelled, s.
    pub modelled: f64,
    /// Measured, s.
    pub measured: f64,
}

/// A step's time relative to its parent's: how many times faster it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    /// The step.
    pub step: String,
    /// Its parent.
    pub parent: String,
    /// How many times faster in the model.
    pub modelled: f64,
    /// How many times faster on hardware.
    pub measured: f64,
}

impl Ratio {
    /// The factor by which the model is off, 1 or more.
    pub fn error(&self) -> f64 {
        let factor = self.modelled / self.measured;
        factor.max(1.0 / factor)
    }
}

/// The ratios of all steps that have a parent among `times`, in their order. Times that are not positive, as those of
/// steps that were not run, are left out.
pub fn ratios(times: &[Compared]) -> Vec<Ratio> {
    let valid = |time: &&Compared| time.modelled > 0.0 && time.measured > 0.0;
    let ratio = |time: &Compared| {
        let name = time.parent.as_ref()?;
        let parent = times.iter().filter(valid).find(|parent| parent.step == *name)?;
        Some(Ratio {
            step: time.step.clone(),
            parent: name.clone(),
            modelled: parent.modelled / time.modelled,
            measured: parent.measured / time.measured,
        })
    };
    times.iter().filter(valid).filter_map(ratio).collect()
}

/// The geometric mean of the factors by which the model is off, 1 or more; `None` without ratios.
pub fn mean_error(ratios: &[Ratio]) -> Option<f64> {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.error().ln()).sum();
    (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp())
}

/// The ratio that is off most; `None` without ratios.
pub fn worst(ratios: &[Ratio]) -> Option<&Ratio> {
    ratios.iter().max_by(|a, b| a.error().total_cmp(&b.error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(step: &str, parent: Option<&str>, modelled: f64, measured: f64) -> Compared {
        let (step, parent) = (step.to_owned(), parent.map(str::to_owned));
        Compared { step, parent, modelled, measured }
    }

    #[test]
    fn errors_are_of_ratios_and_have_a_geometric_mean() {
        let times = [
            time("a", None, 8.0, 4.0),
            time("b", Some("a"), 4.0, 4.0), // 2 for 1: off by 2
            time("c", Some("a"), 2.0, 0.5), // 4 for 8: off by 2
            time("d", Some("b"), 2.0, 2.0), // 2 for 2: exact
            time("e", Some("x"), 1.0, 1.0), // no such parent
            time("f", Some("a"), 0.0, 1.0), // not run
        ];
        let ratios = ratios(&times);
        assert_eq!(ratios.iter().map(|r| r.step.as_str()).collect::<String>(), "bcd");
        assert_eq!(ratios.iter().map(Ratio::error).collect::<Vec<_>>(), [2.0, 2.0, 1.0]);
        // The cube root of 2 · 2 · 1.
        assert!((mean_error(&ratios).unwrap() - 4f64.cbrt()).abs() < 1e-12);
        assert_eq!(worst(&ratios).unwrap().error(), 2.0);
        assert_eq!((mean_error(&[]), worst(&[])), (None, None));
    }
}
