//! The folder that a command leaves its report in: one run at a time writes to it, what is finished is always in
//! it, and a committed report is replaced only on demand.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use report::files::{Lock, Scratch, WriteError, check_writable, write_whole};

use ui::Usage;

/// Held as long as a run goes on.
const LOCK: &str = ".lock";

/// A folder that this run alone writes to.
pub struct Folder {
    path: PathBuf,
    /// The finished run.
    report: PathBuf,
    /// What is finished of a run that goes on, or went on until something ended it.
    partial: PathBuf,
    /// Folders that were not there before, inner ones first.
    made: Vec<PathBuf>,
    lock: Option<Lock>,
}

impl Folder {
    /// Makes the folder if it is not there, and takes it for this run, whose report is `<name>.json`.
    ///
    /// # Errors
    /// It cannot be made or written to, or another run writes to it.
    pub fn open(path: &Path, name: &str) -> Result<Folder> {
        Folder::try_open(path, name)?.with_context(|| {
            format!(
                "another run writes to {}; wait for its end, or choose another folder with --out",
                path.display()
            )
        })
    }

    /// The same; `None` if another run writes to it.
    ///
    /// # Errors
    /// It cannot be made or written to.
    pub fn try_open(path: &Path, name: &str) -> Result<Option<Folder>> {
        let absent = path.ancestors().take_while(|folder| !folder.exists());
        let made: Vec<PathBuf> = absent.map(Path::to_path_buf).collect();
        let no_room =
            || format!("cannot write to {}; choose another folder with --out", path.display());
        fs::create_dir_all(path).with_context(no_room)?;
        let file = path.join(LOCK);
        // Without the system's number, which says nothing to the user.
        let plain = |error: io::Error| match error.raw_os_error() {
            Some(_) => io::Error::from(error.kind()),
            None => error,
        };
        let lock = Lock::try_take(&file).map_err(plain);
        let lock = lock.with_context(|| file.display().to_string()).with_context(no_room)?;
        let Some(lock) = lock else { return Ok(None) };
        let [report, partial] =
            [".json", ".partial.json"].map(|end| path.join(name.to_owned() + end));
        let folder = Folder { path: path.to_path_buf(), report, partial, made, lock: Some(lock) };
        Scratch::remove_abandoned();
        // Found out now what would otherwise be found out at the end.
        for file in [&folder.report, &folder.partial] {
            check_writable(file).with_context(no_room)?;
        }
        Ok(Some(folder))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what is finished so far, whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, text: &str) -> Result<(), WriteError> {
        write_whole(&self.partial, |out| out.write_all(text.as_bytes()))
    }

    /// Writes the report of a run that has ended; its path.
    ///
    /// # Errors
    /// It cannot be written; what was kept is still there.
    pub fn finish(&self, text: &str) -> Result<PathBuf, WriteError> {
        write_whole(&self.report, |out| out.write_all(text.as_bytes()))?;
        Ok(self.report.clone())
    }

    /// Removes what was kept: the report holds as much.
    pub fn forget(&self) {
        let _ = fs::remove_file(&self.partial);
    }

    /// What a run kept here until something ended it, if there is such a thing.
    pub fn kept(&self) -> Option<&Path> {
        Some(self.partial.as_path()).filter(|file| file.exists())
    }

    /// The latest that a run left here: what it kept, else its report.
    ///
    /// # Errors
    /// There is nothing.
    pub fn latest(&self) -> Result<&Path> {
        let report = Some(self.report.as_path()).filter(|file| file.exists());
        self.kept().or(report).with_context(|| {
            format!("there is no report in {}; run it without --resume", self.path.display())
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A run that was refused leaves nothing; a folder that holds something stays.
        self.lock.take();
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Removes the folder of a run with all that the run left. It stays if the run goes on, or if anything else is in it.
pub fn remove(path: &Path) {
    let Ok(Some(folder)) = Folder::try_open(path, "report") else { return };
    let entries: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().collect();
    let is_ours = |entry: &fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file()) && is_left_by_run(&entry.file_name())
    };
    if entries.iter().all(is_ours) {
        for entry in entries.iter().filter(|entry| entry.file_name() != LOCK) {
            let _ = fs::remove_file(entry.path());
        }
        drop(folder);
        let _ = fs::remove_dir(path);
    }
}

/// Whether a run leaves files of this name.
fn is_left_by_run(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    let stem = ["report", "scaling"].iter().find_map(|stem| name.strip_prefix(stem));
    let is_whole = matches!(stem, Some(".json" | ".partial.json" | ".html")) || name == LOCK;
    is_whole || name.ends_with(".svg") || name.ends_with(".reason.txt")
}

/// Refuses a folder with files under version control, unless that is meant: a run would replace them.
///
/// # Errors
/// [`Usage`], with the remedy.
pub fn check_uncommitted(path: &Path, force: bool) -> Result<(), Usage> {
    if force || !is_committed(path) {
        return Ok(());
    }
    Err(Usage(format!(
        "--out {}: the files of this folder are under version control; choose another folder, or replace them \
         with --force",
        path.display()
    )))
}

/// Whether git has files directly in this folder. Where git cannot tell, reports are taken to be committed if
/// they are among the clone's, but for those in `reports/local`.
fn is_committed(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let mut git = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(variable);
    }
    // The clone may be another user's.
    git.args(["-c", "safe.directory=*", "-C"]).arg(&path);
    let listed = git.args(["ls-files", "-z", "--", ":(glob)*"]).output();
    if let Some(listed) = listed.ok().filter(|output| output.status.success()) {
        return !listed.stdout.is_empty();
    }
    let root = ladder::workspace::root().ok().and_then(|root| root.canonicalize().ok());
    let Some(reports) = root.map(|root| root.join("reports")) else { return false };
    let holds_json = |folder: &Path| {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files.map(|file| file.path()).any(|file| file.extension().is_some_and(|it| it == "json"))
    };
    path.starts_with(&reports) && !path.starts_with(reports.join("local")) && holds_json(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> Result<Folder> {
        Folder::open(path, "report")
    }

    #[test]
    fn one_run_at_a_time_has_the_folder() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let first = open(folder.path()).expect("free");
        let error = open(folder.path()).err().expect("taken").to_string();
        assert!(error.contains("another run") && error.contains("--out"), "{error}");
        drop(first);
        open(folder.path()).expect("free again");
    }

    #[test]
    fn a_refused_run_leaves_nothing_behind() {
        let above = tempfile::tempdir().expect("a temporary folder");
        let path = above.path().join("new/out");
        drop(open(&path).expect("made"));
        assert!(!above.path().join("new").exists());
        let folder = open(&path).expect("made");
        folder.keep("{}").expect("written");
        drop(folder);
        assert!(path.join("report.partial.json").exists());
    }

    #[test]
    fn what_was_kept_is_the_latest_until_the_run_ends() {
        let path = tempfile::tempdir().expect("a temporary folder");
        let folder = open(path.path()).expect("free");
        let latest = || fs::read_to_string(folder.latest().expect("something")).expect("a file");
        assert!(folder.latest().is_err_and(|error| error.to_string().contains("--resume")));
        folder.keep("part").expect("written");
        assert_eq!(latest(), "part");
        folder.finish("whole").expect("written");
        assert_eq!(latest(), "part");
        folder.forget();
        assert_eq!(latest(), "whole");
        assert!(folder.kept().is_none());
    }

    #[test]
    fn committed_folders_are_known_with_git_and_without() {
        let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports");
        assert!(is_committed(&reports.join("h200")));
        assert!(!is_committed(&reports.join("absent")));
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("report.json"), "").expect("a file");
        assert!(!is_committed(folder.path()));
        let error = check_uncommitted(&reports.join("h200"), false).expect_err("committed");
        assert!(error.to_string().contains("--force"), "{error}");
        check_uncommitted(&reports.join("h200"), true).expect("it is meant");
    }
}
