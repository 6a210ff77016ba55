//! The folders of the runs of a ladder, by time: `<ladder>/<time>-<what>/`, as `reports/local/` has them.

use std::path::{Path, PathBuf};

/// What is run where all steps of a ladder are, each as it is.
pub const ALL: &str = "all";

/// Length of a time, as [`crate::stamp`] writes it.
const TIME: usize = "2026-11-20-104159".len();

/// A folder with the name of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its folder.
    pub path: PathBuf,
    /// When it began, in UTC: "2026-11-20-104159". Times are in order as text.
    pub time: String,
    /// What was run: [`ALL`], steps, or a kernel in the place of one.
    pub what: String,
}

impl Run {
    /// The run of a folder; `None` if it is not called like one.
    pub fn at(path: &Path) -> Option<Run> {
        let name = path.file_name()?.to_str()?;
        let (time, what) = (name.get(..TIME)?, name.get(TIME..)?.strip_prefix('-')?);
        let is_right = |(place, letter): (usize, char)| match place {
            4 | 7 | 10 => letter == '-',
            _ => letter.is_ascii_digit(),
        };
        let is_run = time.char_indices().all(is_right) && !what.is_empty();
        let (path, time, what) = (path.to_owned(), time.to_owned(), what.to_owned());
        is_run.then_some(Run { path, time, what })
    }

    /// Where its report is, once it has ended.
    pub fn report(&self) -> PathBuf {
        self.path.join("report.json")
    }

    /// Whether it has a report of all steps.
    pub fn is_full(&self) -> bool {
        self.what == ALL && self.report().is_file()
    }
}

/// The runs in the folder of a ladder, the latest first.
pub fn list(ladder: &Path) -> Vec<Run> {
    let entries = ladder.read_dir().into_iter().flatten().flatten();
    // A link is not ours.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut runs: Vec<Run> = folders.filter_map(|entry| Run::at(&entry.path())).collect();
    runs.sort_by(|a, b| b.path.cmp(&a.path));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_called_like_runs_are_runs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let names = [
            "2026-11-20-104159-all",
            "2026-11-20-104158-06",
            "2026-11-21-000000-mine.cu-as-06",
            "2026-11-20-104159-",
            "2026-11-20-104159",
            "2026-11-20_104159-all",
            "2026-11-20-10415x-all",
            "sweep",
            "ä026-11-20-104159-all",
        ];
        for name in names {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        std::fs::write(folder.path().join("2026-11-20-104157-all"), "").expect("a file");
        let runs = list(folder.path());
        let found: Vec<&str> = runs.iter().map(|run| run.what.as_str()).collect();
        assert_eq!(found, ["mine.cu-as-06", "all", "06"]);
        assert_eq!(runs[1].time, "2026-11-20-104159");
        assert!(!runs[1].is_full());
        std::fs::write(runs[1].report(), "").expect("a file");
        assert!(runs[1].is_full() && !runs[2].is_full());
        assert!(list(&folder.path().join("absent")).is_empty());
    }
}
