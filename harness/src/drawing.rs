//! The page and the pictures of a report, and the comparison of a GPU's report with a CPU's.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use ladder::workspace;
use pictures::{Context, Picture};
use report::Report;
use report::against::Against;
use report::published::Published;
use show::page::{self, Page};

/// A report's file in its folder.
pub const REPORT: &str = "report.json";

/// The ladder whose report a GPU's is compared with.
const CPU: &str = "cpu";

/// The ladder whose report a CPU's is compared with.
const GPU: &str = "nbody";

/// What a document published for a report's ladder; nothing outside of a clone.
///
/// # Errors
/// The file is not as it must be.
pub fn published(report: &Report) -> Result<Published> {
    let Ok(root) = workspace::root() else { return Ok(Published::default()) };
    Ok(Published::of_ladder(&root.join("reports"), &report.options.ladder)?)
}

/// The report of a GPU in `dir` against that of a CPU: in `dir/cpu`, or in `cpu` next to `dir`. None
/// where that is not there, or where there is nothing to compare; and the way from `dir` to it.
///
/// # Errors
/// The CPU's report cannot be read, or is of another ladder.
pub fn against_cpu(gpu: &Report, dir: &Path) -> Result<Option<(Against, String)>> {
    if gpu.options.ladder != GPU {
        return Ok(None);
    }
    let ways = [format!("{CPU}/{REPORT}"), format!("../{CPU}/{REPORT}")];
    let Some(way) = ways.into_iter().find(|way| dir.join(way).is_file()) else {
        return Ok(None);
    };
    let cpu = Report::read(&dir.join(&way))?;
    if cpu.options.ladder != CPU {
        bail!(
            "{} is of the ladder {}, not of {CPU}: the GPU is compared with no CPU",
            dir.join(&way).display(),
            cpu.options.ladder
        );
    }
    Ok(Against::of(gpu, &cpu, &published(gpu)?).map(|against| (against, way)))
}

/// The folder of a GPU's report to which that of a CPU in `dir` belongs; none where there is none.
pub fn of_gpu(cpu: &Report, dir: &Path) -> Option<PathBuf> {
    let is_cpus = dir.file_name().is_some_and(|name| name == CPU) && cpu.options.ladder == CPU;
    let above = dir.parent().filter(|_| is_cpus)?;
    let is_gpus = |dir: &PathBuf| {
        Report::read(&dir.join(REPORT)).is_ok_and(|report| report.options.ladder == GPU)
    };
    [above.join(GPU), above.to_path_buf()].into_iter().find(is_gpus)
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
    let pictures: Vec<page::Picture> = drawn
        .iter()
        .map(|it| page::Picture { name: it.name, title: &it.title, words: &it.words, svg: &it.svg })
        .collect();
    let against = against.map(|(against, way)| (against, way.as_str()));
    Ok(Page { report, published: &published, against, pictures: &pictures }.write(dir)?)
}
