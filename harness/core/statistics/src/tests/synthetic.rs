//! Times that are made up, the same on every run.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// How times scatter around 1.
#[derive(Debug, Clone, Copy)]
pub enum Noise {
    /// Normally distributed with this deviation.
    Normal(f64),
    /// Their logarithms are.
    LogNormal(f64),
    /// Their logarithms are distributed as Student's t with two degrees of freedom, scaled by this:
    /// no variance exists.
    HeavyTailed(f64),
    /// Three of ten samples are taken at a clock that is 5% lower.
    ClockSteps,
    /// Normally distributed by 1%, told by a clock that ticks every half per cent.
    Ties,
}

impl Noise {
    /// The median that samples scatter around.
    pub fn median(self) -> f64 {
        match self {
            // Of the seven at the higher clock, the time that 5/7 stay below: Φ⁻¹(5/7) = 0.565949.
            Noise::ClockSteps => (0.001f64 * 0.565_949).exp(),
            _ => 1.0,
        }
    }
}

/// A stream of times, decided by its seed.
pub struct Synthetic(ChaCha8Rng);

impl Synthetic {
    pub fn new(seed: u64) -> Synthetic {
        Synthetic(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in 0 < x ≤ 1.
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) + 1) as f64 * 2f64.powi(-53)
    }

    /// Normally distributed with deviation 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }

    fn one(&mut self, noise: Noise) -> f64 {
        match noise {
            Noise::Normal(deviation) => 1.0 + deviation * self.normal(),
            Noise::LogNormal(deviation) => (deviation * self.normal()).exp(),
            Noise::HeavyTailed(scale) => {
                (scale * self.normal() / (-self.uniform().ln()).sqrt()).exp()
            }
            Noise::ClockSteps => {
                let clock = if self.uniform() <= 0.3 { 1.0 / 1.05 } else { 1.0 };
                (0.001 * self.normal()).exp() / clock
            }
            Noise::Ties => 1.0 + (0.01 * self.normal() / 0.005).round() * 0.005,
        }
    }

    /// `n` times.
    pub fn take(&mut self, noise: Noise, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.one(noise)).collect()
    }

    /// `n` times of something and of what is `ratio` times as fast. With a drift both become up to
    /// 10% slower from round to round, as when a GPU grows warm.
    pub fn pair(
        &mut self,
        noise: Noise,
        n: usize,
        ratio: f64,
        drift: bool,
    ) -> (Vec<f64>, Vec<f64>) {
        let warmth = |round: usize| if drift { 1.0 + 0.1 * round as f64 / n as f64 } else { 1.0 };
        let mut round = |at| (warmth(at) * self.one(noise), warmth(at) * self.one(noise) / ratio);
        (0..n).map(&mut round).unzip()
    }
}
