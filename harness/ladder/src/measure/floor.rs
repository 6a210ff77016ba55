//! Times that are too short to be true.

use simt::model::Gpu;

use super::sample::Sample;
use crate::limits::floor_seconds;
use crate::verify::Problem;

/// Refuses samples below the least time in which any all-pairs code can be done on a GPU.
///
/// # Errors
/// [`Problem::Impossible`].
pub(super) fn check(gpu: Option<&Gpu>, n: usize, samples: &[Sample]) -> Result<(), Problem> {
    let Some(gpu) = gpu else { return Ok(()) };
    let floor = floor_seconds(gpu, n as u64);
    let shortest = samples.iter().map(|sample| sample.seconds).fold(f64::INFINITY, f64::min);
    if shortest >= floor {
        return Ok(());
    }
    Err(Problem::Impossible { n, seconds: shortest, floor, gpu: gpu.name.clone() })
}
