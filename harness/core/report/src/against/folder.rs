//! The two reports in their folders: X/report.json of the GPU and X/cpu/report.json of the CPU,
//! neighbours that are named after their ladders, or the latest full [runs](crate::runs) in such
//! neighbours, as `reports/local/` has them.

use std::path::{Path, PathBuf};

use super::is_of_cpu;
use crate::runs::{self, Run};
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
    /// The way to it from the GPU's folder: "cpu/report.json".
    pub way: String,
}

/// The report in `dir` and the one it is compared with; none where that is not there.
///
/// # Errors
/// The other report is there and cannot be read.
pub fn partner(report: &Report, dir: &Path) -> Result<Option<Pair>, ReportError> {
    let on_cpu = is_of_cpu(report);
    let figure = report.figures.get(&report.options.ladder);
    let fits = |(other, _): &(Report, PathBuf)| {
        let of_other = other.figures.get(&other.options.ladder);
        let same_work = figure.zip(of_other).is_some_and(|(one, other)| one.work == other.work);
        same_work && is_of_cpu(other) != on_cpu
    };
    let is_called = |name: &str| dir.file_name().is_some_and(|own| own == name);
    let nested = match on_cpu {
        true => dir.parent().filter(|_| is_called(BELOW)).map(Path::to_owned),
        false => Some(dir.join(BELOW)),
    };
    let nested = nested.filter(|folder| folder.join(REPORT).is_file());
    let read = |folder: PathBuf| Ok((Report::read(&folder.join(REPORT))?, folder));
    let nested = nested.map(read).transpose()?.filter(fits);
    // Most neighbours are of other ladders: one that cannot be read is passed over.
    let neighbours = match Run::at(dir) {
        Some(run) => full_runs(&run, report, on_cpu),
        None if is_called(&report.options.ladder) => neighbours(dir),
        None => Vec::new(),
    };
    let found = nested.or_else(|| neighbours.into_iter().filter_map(|it| read(it).ok()).find(fits));
    Ok(found.map(|(other, folder)| {
        let (own, dir) = (report.clone(), dir.to_owned());
        let (dir, cpu_dir, gpu, cpu) =
            if on_cpu { (folder, dir, other, own) } else { (dir, folder, own, other) };
        let way = format!("{}/{REPORT}", way(&dir, &cpu_dir));
        Pair { dir, gpu, cpu, way }
    }))
}

/// The latest full runs of other ladders. A part of a CPU's ladder and a sweep are compared with nothing.
fn full_runs(run: &Run, report: &Report, on_cpu: bool) -> Vec<PathBuf> {
    if report.options.is_sweep() || on_cpu && !run.is_full() {
        return Vec::new();
    }
    let ladders = run.path.parent().map(neighbours).unwrap_or_default();
    let latest = |ladder: PathBuf| runs::list(&ladder).into_iter().find(Run::is_full);
    ladders.into_iter().filter_map(latest).map(|run| run.path).collect()
}

/// How to come from one folder to another that is in it, or next to it or to those above it.
fn way(from: &Path, to: &Path) -> String {
    let (mut up, mut common) = (String::new(), from);
    while let (false, Some(above)) = (to.starts_with(common), common.parent()) {
        (up, common) = (up + "../", above);
    }
    let down = to.strip_prefix(common).unwrap_or(to).components();
    let names: Vec<_> = down.map(|name| name.as_os_str().to_string_lossy()).collect();
    up + &names.join("/")
}

/// The other folders next to this one, by name.
fn neighbours(dir: &Path) -> Vec<PathBuf> {
    let entries = dir.parent().and_then(|parent| parent.read_dir().ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path != dir && path.is_dir()).collect();
    paths.sort();
    paths
}
