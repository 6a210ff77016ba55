//! What a validation found, as data: `model.json`, and `ladders.json` of all ladders.

use serde::{Deserialize, Serialize};

/// A model held against measurements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// The GPU that is modelled.
    pub gpu: String,
    /// The GPU that was measured.
    pub device: String,
    /// Time of a pass, step by step.
    pub times: Vec<Time>,
    /// Speed of a step over that of its parent, both at the same n.
    pub ratios: Vec<Ratio>,
    /// What the chip's profiler counted.
    pub counters: Vec<Counter>,
    /// The ratios that a document published.
    pub published: Vec<Published>,
}

/// A step's time for one pass, measured and modelled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Problem size `n`.
    pub n: u64,
    /// Measured time of a pass, s.
    pub measured: f64,
    /// Modelled time of a pass, s.
    pub modelled: f64,
    /// What limits it, as the model has it.
    pub binding: String,
}

/// A step's speed over its parent's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Name of the parent's folder.
    pub parent: String,
    /// Problem size `n` of both.
    pub n: u64,
    /// Measured speed over the parent's.
    pub measured: f64,
    /// Modelled speed over the parent's.
    pub modelled: f64,
}

/// A count of the chip's profiler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Problem size `n`.
    pub n: u64,
    /// What was counted, in words.
    pub counter: String,
    /// What the chip's profiler counted.
    pub chip: f64,
    /// What the simulator counted.
    pub simulator: f64,
}

/// A ratio from a document's slides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// The GPU, as the slides name it.
    pub gpu: String,
    /// Speed over the parent's, as published.
    pub published: f64,
    /// Modelled, at size `n`.
    pub modelled: f64,
    /// The model's size: large enough to fill the GPU; the slides' n is in `reports/published/`.
    pub n: u64,
}

/// A model held against the reports of many ladders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladders {
    /// The GPU that is modelled.
    pub gpu: String,
    /// The GPU that was measured.
    pub device: String,
    /// Each ladder's ratios.
    pub ladders: Vec<OfLadder>,
}

/// The ratios of one ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfLadder {
    /// Name of the ladder.
    pub ladder: String,
    /// Speed of a step over that of its parent.
    pub ratios: Vec<Ratio>,
}

/// The least effect, as a factor, whose direction must be right.
pub const EFFECT: f64 = 1.05;

/// How far the ratios of a ladder, and those of all, may be off: the geometric mean, as a factor.
pub const MOST_OFF: (f64, f64) = (1.20, 1.15);

/// How far `modelled` is from `measured`, as a factor above 1: 1.2 for 20 % too much as for 1/1.2 too little.
pub fn factor(modelled: f64, measured: f64) -> f64 {
    (modelled / measured).ln().abs().exp()
}

/// The geometric mean of factors; 1 of none.
pub fn geometric_mean(factors: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = factors.clone().count().max(1) as f64;
    (factors.map(f64::ln).sum::<f64>() / count).exp()
}

impl Ratio {
    /// How far it is off, as a factor.
    pub fn factor(&self) -> f64 {
        factor(self.modelled, self.measured)
    }

    /// Whether the model has a gain where there is a loss, or the other way round.
    pub fn is_wrong_way(&self) -> bool {
        let is_other =
            if self.measured > 1.0 { self.modelled <= 1.0 } else { self.modelled >= 1.0 };
        factor(self.measured, 1.0) > EFFECT && is_other
    }
}

/// The ratio that is off most.
fn worst(ratios: &[Ratio]) -> Option<&Ratio> {
    ratios.iter().max_by(|a, b| a.factor().total_cmp(&b.factor()))
}

/// To six digits: what a reader can use, and the same on every machine.
fn round(figure: &mut f64) {
    *figure = format!("{figure:.5e}").parse().unwrap_or(*figure);
}

impl OfLadder {
    /// The geometric mean of how far the ratios are off, as a factor.
    pub fn mean_factor(&self) -> f64 {
        geometric_mean(self.ratios.iter().map(Ratio::factor))
    }

    /// The ratio that is off most.
    pub fn worst(&self) -> Option<&Ratio> {
        worst(&self.ratios)
    }
}

impl Ladders {
    /// The geometric mean of how far all ratios are off, as a factor.
    pub fn mean_factor(&self) -> f64 {
        geometric_mean(self.ladders.iter().flat_map(|of| of.ratios.iter().map(Ratio::factor)))
    }

    /// What no model may say: wrong directions, and means that are further off than [`MOST_OFF`].
    pub fn faults(&self) -> Vec<String> {
        let (most_of_ladder, most_of_all) = MOST_OFF;
        let percent = |factor: f64| 100.0 * (factor - 1.0);
        let mut faults = Vec::new();
        for OfLadder { ladder, ratios } in &self.ladders {
            for Ratio { step, parent, measured, modelled, .. } in
                ratios.iter().filter(|ratio| ratio.is_wrong_way())
            {
                faults.push(format!(
                    "{ladder}/{step} has {modelled:.3} times the speed of {parent} in the model, and {measured:.3} on the \
                     GPU: the wrong direction"
                ));
            }
        }
        for of in self.ladders.iter().filter(|of| of.mean_factor() > most_of_ladder) {
            let (off, most) = (percent(of.mean_factor()), percent(most_of_ladder));
            faults.push(format!(
                "{}: ratios are off by {off:.1} %, more than {most:.0} %",
                of.ladder
            ));
        }
        if self.mean_factor() > most_of_all {
            let (off, most) = (percent(self.mean_factor()), percent(most_of_all));
            faults
                .push(format!("all ladders: ratios are off by {off:.1} %, more than {most:.0} %"));
        }
        faults
    }

    /// Rounds every figure to six digits.
    pub fn round(&mut self) {
        for ratio in self.ladders.iter_mut().flat_map(|of| &mut of.ratios) {
            round(&mut ratio.measured);
            round(&mut ratio.modelled);
        }
    }
}

impl Validation {
    /// The geometric mean of how far the ratios are off, as a factor.
    pub fn mean_factor(&self) -> f64 {
        geometric_mean(self.ratios.iter().map(Ratio::factor))
    }

    /// Rounds every figure to six digits.
    pub fn round(&mut self) {
        let times = self.times.iter_mut().flat_map(|time| [&mut time.measured, &mut time.modelled]);
        let ratios = self.ratios.iter_mut().flat_map(|one| [&mut one.measured, &mut one.modelled]);
        let counters = self.counters.iter_mut().map(|counter| &mut counter.simulator);
        let published = self.published.iter_mut().map(|one| &mut one.modelled);
        for figure in times.chain(ratios).chain(counters).chain(published) {
            round(figure);
        }
    }

    /// The ratio that is off most.
    pub fn worst(&self) -> Option<&Ratio> {
        worst(&self.ratios)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_direction_and_a_mean_that_is_too_far_off_are_faults() {
        let of = |ratios: &[(f64, f64)]| {
            let ratio = |&(measured, modelled): &(f64, f64)| Ratio {
                step: "02-new".to_owned(),
                parent: "01-old".to_owned(),
                n: 1,
                measured,
                modelled,
            };
            let ratios = ratios.iter().map(ratio).collect();
            let ladder = OfLadder { ladder: "toy".to_owned(), ratios };
            Ladders { gpu: String::new(), device: String::new(), ladders: vec![ladder] }.faults()
        };
        assert_eq!(of(&[(1.10, 1.01), (0.90, 0.99), (1.04, 0.97)]), Vec::<String>::new());
        let wrong = of(&[(1.06, 1.0), (1.0, 1.0), (0.94, 1.0)]);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(
            wrong[0].starts_with("toy/02-new has 1.000 times the speed of 01-old"),
            "{wrong:?}"
        );
        let far = of(&[(2.0, 2.5)]);
        assert!(far[0].contains("off by 25.0 %, more than 20 %") && far.len() == 2, "{far:?}");
    }

    #[test]
    fn too_much_and_too_little_count_alike() {
        assert!((factor(1.2, 1.0) - 1.2).abs() < 1e-12);
        assert!((factor(1.0, 1.2) - 1.2).abs() < 1e-12);
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(std::iter::empty::<f64>()), 1.0);
    }
}
