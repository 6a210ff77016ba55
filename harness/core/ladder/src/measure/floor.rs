//! Times that are too short to be true.

use super::sample::Sample;
use crate::ladder::OpenProblem;
use crate::limits::Chip;
use crate::verify::Failure;

/// Refuses samples below the least time in which any code can do the work on a chip.
///
/// # Errors
/// [`Failure::Impossible`].
pub(super) fn check(
    chip: Option<&Chip>,
    open: &dyn OpenProblem,
    n: u64,
    samples: &[Sample],
) -> Result<(), Failure> {
    let Some(chip) = chip else { return Ok(()) };
    let floor = open.least_seconds(n, chip);
    let seconds = samples.iter().map(|sample| sample.seconds).fold(f64::INFINITY, f64::min);
    if seconds >= floor {
        return Ok(());
    }
    let pass = open.figure().pass.clone();
    Err(Failure::Impossible { pass, n, seconds, floor, chip: chip.name().to_owned() })
}
