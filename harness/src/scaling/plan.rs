//! What is to be run: which steps, on how many GPUs, at which sizes.

use std::path::PathBuf;

use ladder::problem::Growth;
use ladder::{Ladder, Step};
use serde::{Deserialize, Serialize};

use report::scaling::Series;
use ui::Usage;

use super::predict::Link;

/// Sizes of weak scaling are a multiple of this: full blocks on every GPU.
const WHOLE: u64 = 256;

/// A step on some GPUs: what a worker is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The ladder of the step.
    pub ladder: String,
    /// The step's folder.
    pub step: String,
    /// "cuda" or "simt".
    pub device: String,
    /// The GPU whose time the simulator models.
    pub model: String,
    /// Where code may come from.
    pub code: String,
    /// GPUs of all processes together.
    pub gpus: u32,
    /// GPUs of this machine: ranks take turns on them where they are more.
    pub here: usize,
    /// This process's place where there is one for each GPU; else it has all of them.
    pub place: Option<Place>,
    /// A folder in which the GPUs find each other.
    pub folder: PathBuf,
    /// The sizes, each with what it is for.
    pub points: Vec<(Series, u64)>,
    /// Decides what is random in verification.
    pub seed: u64,
    /// Samples at each.
    pub samples: u32,
    /// The least time of a sample, s.
    pub sample_seconds: f64,
    /// How long one waits for another, s.
    pub patience_seconds: u64,
    /// The link that is modelled where ranks take turns on the GPUs that are here.
    pub link: Option<Link>,
}

/// A process's place among those of a launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Its number, from 0.
    pub rank: usize,
    /// The number of its GPU on its computer.
    pub local: usize,
}

/// The steps that divide their work, and those they come from.
pub fn steps(ladder: &dyn Ladder) -> Vec<Step> {
    let all = ladder.steps();
    let is_parent =
        |step: &Step| all.iter().any(|child| divides(child) && child.after == Some(step.name));
    all.iter().filter(|step| divides(step) || is_parent(step)).copied().collect()
}

/// Whether a step divides its work over several GPUs.
pub fn divides(step: &Step) -> bool {
    step.elsewhere.is_some()
}

/// The size on so many GPUs at which each has as much to compute as one with `one`: what is computed grows with the
/// size, its square or its cube.
pub fn weak(one: u64, gpus: u32, growth: Growth) -> u64 {
    if gpus == 1 {
        return one;
    }
    let times = match growth {
        Growth::Square => f64::from(gpus).sqrt(),
        Growth::Work => f64::from(gpus),
        Growth::Product => f64::from(gpus).cbrt(),
    };
    let size = one as f64 * times;
    ((size / WHOLE as f64).round() as u64).saturating_mul(WHOLE).max(1)
}

/// Strong and weak scaling at so many GPUs.
pub fn points(sizes: &[u64], one: u64, gpus: u32, growth: Growth) -> Vec<(Series, u64)> {
    let strong = sizes.iter().map(|&n| (Series::Strong, n));
    strong.chain([(Series::Weak, weak(one, gpus, growth))]).collect()
}

/// How what a ladder's steps compute grows with the size.
///
/// # Errors
/// Sizes, strong or weak, that the problem does not have.
pub fn check(ladder: &dyn Ladder, sizes: &[u64], one: u64, gpus: &[u32]) -> Result<Growth, Usage> {
    let open = ladder.open_plain().map_err(Usage::of)?;
    let growth = open.growth();
    let points = gpus.iter().flat_map(|&gpus| points(sizes, one, gpus, growth));
    let (noun, most) = (&open.figure().size, open.most());
    match points.map(|(_, n)| n).find(|n| *n > most) {
        Some(n) => {
            Err(Usage(format!("n = {n}: there are at most {most} {noun}; see --size and --weak")))
        }
        None => Ok(growth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;

    #[test]
    fn each_gpu_has_as_much_to_compute() {
        let square = |one, gpus| weak(one, gpus, Growth::Square);
        assert_eq!(square(262_144, 1), 262_144);
        assert_eq!(square(262_144, 4), 524_288);
        assert_eq!(square(262_144, 2), 370_688);
        assert_eq!(square(100, 2), 256);
        assert_eq!(weak(262_144, 4, Growth::Work), 1_048_576);
        let last = points(&[10, 20], 512, 4, Growth::Square).pop();
        assert_eq!(last, Some((Series::Weak, 1024)));
    }

    #[test]
    fn steps_that_divide_their_work_are_run_with_their_parents() {
        let names: Vec<&str> = steps(LADDERS[0]).iter().map(|step| step.name).collect();
        assert!(names.contains(&"19-bodies-divided") && names.contains(&"13-lanes"), "{names:?}");
        assert!(!names.contains(&"01-one-thread"));
    }
}
