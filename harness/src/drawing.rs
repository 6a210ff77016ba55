//! The page and the pictures of a report, and the comparison of a GPU's report with a CPU's.

use std::path::{Path, PathBuf};

use anyhow::Result;
use ladder::workspace;
use pictures::{Context, Picture};
use report::Report;
use report::against::{self, Against};
use report::published::Published;
use show::page::Page;

/// A report's file in its folder.
pub const REPORT: &str = "report.json";

/// What a document published for a report's ladder; nothing outside of a clone.
///
/// # Errors
/// The file is not as it must be.
pub fn published(report: &Report) -> Result<Published> {
    let Ok(root) = workspace::root() else { return Ok(Published::default()) };
    Ok(Published::of_ladder(&root.join("reports"), &report.options.ladder)?)
}

/// The report of a GPU in `dir` against that of a CPU that does the same work, and the way from `dir`
/// to it. None where that is not there, or where there is nothing to compare.
///
/// # Errors
/// The CPU's report cannot be read.
pub fn against_cpu(gpu: &Report, dir: &Path) -> Result<Option<(Against, String)>> {
    let Some(pair) = against::partner(gpu, dir)?.filter(|pair| pair.dir == dir) else {
        return Ok(None);
    };
    Ok(Against::of(gpu, &pair.cpu, &published(gpu)?).map(|against| (against, pair.way)))
}

/// The folder of a GPU's report to which that of a CPU in `dir` belongs; none where there is none.
pub fn of_gpu(cpu: &Report, dir: &Path) -> Option<PathBuf> {
    let pair = against::partner(cpu, dir).ok().flatten()?;
    Some(pair.dir).filter(|of_gpu| of_gpu != dir)
}

/// Writes a report's page and pictures to its folder; `more` pictures follow the first. Returns their
/// paths.
///
/// # Errors
/// The folder cannot be written to, or what was published cannot be read.
pub fn write(
    report: &Report,
    against: Option<&(Against, String)>,
    more: Option<Picture>,
    dir: &Path,
) -> Result<Vec<PathBuf>> {
    let published = published(report)?;
    let context = Context { published: &published, against: against.map(|(against, _)| against) };
    let mut drawn = pictures::of_report(report, &context);
    if let Some(more) = more {
        drawn.insert(drawn.len().min(1), more);
    }
    let against = against.map(|(against, way)| (against, way.as_str()));
    Ok(Page { report, published: &published, against, pictures: &drawn }.write(dir)?)
}
