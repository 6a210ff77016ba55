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

/// A step's time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// The step's folder.
    pub step: String,
    /// The size.
    pub n: u64,
    /// Measured seconds.
    pub measured: f64,
    /// Modelled seconds.
    pub modelled: f64,
    /// What limits it, as the model has it.
    pub binding: String,
}

/// A step's speed over its parent's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The step's folder.
    pub step: String,
    /// Its parent's.
    pub parent: String,
    /// The size.
    pub n: u64,
    /// Measured.
    pub measured: f64,
    /// Modelled.
    pub modelled: f64,
}

/// A count of the chip's profiler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    /// The step's folder.
    pub step: String,
    /// The size.
    pub n: u64,
    /// What was counted, in words.
    pub counter: String,
    /// By the chip.
    pub chip: f64,
    /// By the simulator.
    pub simulator: f64,
}

/// A ratio from a document's slides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The step's folder.
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
    /// Its name.
    pub ladder: String,
    /// Speed of a step over that of its parent.
    pub ratios: Vec<Ratio>,
}

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
    fn too_much_and_too_little_count_alike() {
        assert!((factor(1.2, 1.0) - 1.2).abs() < 1e-12);
        assert!((factor(1.0, 1.2) - 1.2).abs() < 1e-12);
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(std::iter::empty::<f64>()), 1.0);
    }
}
