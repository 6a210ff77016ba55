//! The two reports in their folders: X/report.json of the GPU and X/cpu/report.json of the CPU, or
//! neighbours that are named after their ladders, as `reports/local/` has them.

use std::path::{Path, PathBuf};

use super::is_of_cpu;
use crate::{Report, ReportError};

/// The folder of the CPU's report in that of the GPU's.
const BELOW: &str = "cpu";

const REPORT: &str = "report.json";

/// A GPU's report and that of a CPU, which may do the same work.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The folder of the GPU's report, in which the comparison is shown.
    pub dir: PathBuf,
    /// The GPU's report.
    pub gpu: Report,
    /// The CPU's report.
    pub cpu: Report,
}

/// The report in `dir` and the one it is compared with; none where that is not there.
///
/// # Errors
/// The other report is there and cannot be read.
pub fn partner(report: &Report, dir: &Path) -> Result<Option<Pair>, ReportError> {
    let own = report.clone();
    let figure = report.figures.get(&report.options.ladder);
    let fits = |other: &Report| {
        let of_other = other.figures.get(&other.options.ladder);
        let same_work = figure.zip(of_other).is_some_and(|(one, other)| one.work == other.work);
        same_work && is_of_cpu(other) != is_of_cpu(report)
    };
    for folder in folders(report, dir) {
        let file = folder.join(REPORT);
        if !file.is_file() {
            continue;
        }
        let other = Report::read(&file)?;
        if !fits(&other) {
            continue;
        }
        return Ok(Some(if is_of_cpu(&own) {
            Pair { dir: folder, gpu: other, cpu: own }
        } else {
            Pair { dir: dir.to_owned(), gpu: own, cpu: other }
        }));
    }
    Ok(None)
}

/// Where the other report may be.
fn folders(report: &Report, dir: &Path) -> Vec<PathBuf> {
    let (parent, name) = (dir.parent(), dir.file_name());
    let mut folders = Vec::new();
    if !is_of_cpu(report) {
        folders.push(dir.join(BELOW));
    } else if name.is_some_and(|name| name == BELOW) {
        folders.extend(parent.map(Path::to_owned));
    }
    if let Some(parent) =
        parent.filter(|_| name.is_some_and(|name| name == &*report.options.ladder))
    {
        let beside = parent.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        let mut beside: Vec<PathBuf> = beside.filter(|path| path != dir && path.is_dir()).collect();
        beside.sort();
        folders.extend(beside);
    }
    folders
}
