//! The two reports in their folders: X/report.json of the GPU, X/cpu/report.json of the CPU.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use report::Report;

use super::{Against, CPU_LADDER, GPU_LADDER};
use crate::{html, plot, published};

/// The folder of the CPU's report in that of the GPU's.
pub const FOLDER: &str = "cpu";

const REPORT: &str = "report.json";

/// The GPU's report in `dir` against the CPU's in `dir/cpu`; none where that is not there, or where
/// there is nothing to compare.
///
/// # Errors
/// The CPU's report cannot be read, or is of another ladder.
pub fn below(gpu: &Report, dir: &Path) -> Result<Option<Against>> {
    let file = dir.join(FOLDER).join(REPORT);
    if gpu.options.ladder != GPU_LADDER || !file.is_file() {
        return Ok(None);
    }
    let cpu = Report::read(&file)?;
    if cpu.options.ladder != CPU_LADDER {
        bail!(
            "{} is of the ladder {}, not of {CPU_LADDER}: the GPU is compared with no CPU",
            file.display(),
            cpu.options.ladder
        );
    }
    Against::of(gpu, &cpu, &published::committed()?)
}

/// A CPU's report that was compared with a GPU's.
pub struct Above {
    /// The folder of the GPU's report.
    pub dir: PathBuf,
    /// The GPU's report.
    pub gpu: Report,
    /// What was found.
    pub against: Against,
}

/// The CPU's report of `dir` against the GPU's in the folder above; none where that is not there, or
/// where there is nothing to compare.
///
/// # Errors
/// The GPU's report cannot be read.
pub fn above(cpu: &Report, dir: &Path) -> Result<Option<Above>> {
    let is_below = dir.file_name().is_some_and(|name| name == FOLDER);
    let Some(dir) = dir.parent().filter(|_| is_below && cpu.options.ladder == CPU_LADDER) else {
        return Ok(None);
    };
    let file = dir.join(REPORT);
    if !file.is_file() {
        return Ok(None);
    }
    let gpu = Report::read(&file)?;
    if gpu.options.ladder != GPU_LADDER {
        return Ok(None);
    }
    let against = Against::of(&gpu, cpu, &published::committed()?)?;
    Ok(against.map(|against| Above { dir: dir.to_path_buf(), gpu, against }))
}

/// Draws the comparison anew in the folder of the GPU's report: its picture, and the page that shows
/// it. Returns their paths.
///
/// # Errors
/// They cannot be drawn or written.
pub fn redraw(above: &Above) -> Result<Vec<PathBuf>> {
    let mut written = plot::against(&above.against).write(&above.dir)?;
    written.push(html::write_page(&above.gpu, &above.against, &above.dir)?);
    Ok(written)
}
