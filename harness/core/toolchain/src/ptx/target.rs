//! What PTX is compiled for, and which GPUs run that.

use std::fmt;

/// What PTX was compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The compute capability, major and minor.
    pub capability: (u32, u32),
    /// Which other GPUs may run it.
    pub reach: Reach,
}

/// Which GPUs besides the one in its name a target covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// `sm_90`: every later one.
    Later,
    /// `sm_100f`: later ones of the same major version.
    Family,
    /// `sm_90a`: none.
    Exact,
}

impl Target {
    /// Reads "sm_90", "sm_90a", "compute_50" and the like.
    pub fn parse(text: &str) -> Option<Target> {
        let digits = text.strip_prefix("sm_").or_else(|| text.strip_prefix("compute_"))?;
        let (digits, reach) = match digits.strip_suffix(['a', 'f']) {
            Some(rest) if digits.ends_with('a') => (rest, Reach::Exact),
            Some(rest) => (rest, Reach::Family),
            None => (digits, Reach::Later),
        };
        let number: u32 = digits.parse().ok()?;
        Some(Target { capability: (number / 10, number % 10), reach })
    }

    /// Whether a GPU of this compute capability runs it.
    pub fn runs_on(self, gpu: (u32, u32)) -> bool {
        match self.reach {
            Reach::Later => gpu >= self.capability,
            Reach::Family => gpu.0 == self.capability.0 && gpu >= self.capability,
            Reach::Exact => gpu == self.capability,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.reach {
            Reach::Later => "",
            Reach::Family => "f",
            Reach::Exact => "a",
        };
        write!(f, "compute_{}{}{suffix}", self.capability.0, self.capability.1)
    }
}
