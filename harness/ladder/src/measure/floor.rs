//! Times that are too short to be true.

use super::sample::Sample;
use crate::limits::Chip;
use crate::verify::Problem;

/// Refuses samples below the least time in which any all-pairs code can be done on a chip.
///
/// # Errors
/// [`Problem::Impossible`].
pub(super) fn check(chip: Option<&Chip>, n: usize, samples: &[Sample]) -> Result<(), Problem> {
    let Some(chip) = chip else { return Ok(()) };
    let floor = chip.floor_seconds(n as u64);
    let shortest = samples.iter().map(|sample| sample.seconds).fold(f64::INFINITY, f64::min);
    if shortest >= floor {
        return Ok(());
    }
    Err(Problem::Impossible { n, seconds: shortest, floor, chip: chip.name().to_owned() })
}
