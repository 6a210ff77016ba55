//! The folder of a run: one run at a time writes to it, and what is finished is always in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use report::Report;

/// The finished run.
const REPORT: &str = "report.json";

/// What is finished of a run that goes on, or went on until something ended it.
const PARTIAL: &str = "report.partial.json";

/// Held as long as a run goes on. The system lets go of it however the run ends.
const LOCK: &str = ".lock";

/// A folder that this run alone writes to.
pub struct Folder {
    path: PathBuf,
    /// Folders that were not there before, inner ones first.
    made: Vec<PathBuf>,
    _lock: File,
}

impl Folder {
    /// Makes the folder if it is not there, and takes it for this run.
    ///
    /// # Errors
    /// It cannot be made or written to, or another run writes to it.
    pub fn open(path: &Path) -> Result<Folder> {
        let absent = path.ancestors().take_while(|folder| !folder.exists());
        let made: Vec<PathBuf> = absent.map(Path::to_path_buf).collect();
        let no_room =
            || format!("cannot write to {}; choose another folder with --out", path.display());
        fs::create_dir_all(path).with_context(no_room)?;
        let lock = loop {
            let lock =
                File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
            let lock = lock.map_err(|error| io::Error::from(error.kind())).with_context(no_room)?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => bail!(
                    "another run writes to {}; wait for its end, or choose another folder with --out",
                    path.display()
                ),
                // A file system without locks: files are still written whole.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error).with_context(no_room),
            }
            // A run that ended just now may have taken the file away under our hands.
            if is_at(&lock, &path.join(LOCK)) {
                break lock;
            }
        };
        let folder = Folder { path: path.to_path_buf(), made, _lock: lock };
        // Found out now what would otherwise be found out at the end.
        tempfile::tempfile_in(path)
            .map_err(|error| io::Error::from(error.kind()))
            .with_context(no_room)?;
        Ok(folder)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what is finished so far, whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, report: &Report) -> Result<()> {
        Ok(report.write(&self.path.join(PARTIAL))?)
    }

    /// Writes the report of a run that has ended; its path.
    ///
    /// # Errors
    /// It cannot be written; what was kept is still there.
    pub fn finish(&self, report: &Report) -> Result<PathBuf> {
        let file = self.path.join(REPORT);
        report.write(&file)?;
        // It may never have been there; the report holds more.
        let _ = fs::remove_file(self.path.join(PARTIAL));
        Ok(file)
    }

    /// The latest that a run left here: what it kept until something ended it, else its report.
    ///
    /// # Errors
    /// There is nothing, or it is no report.
    pub fn latest(&self) -> Result<Report> {
        for name in [PARTIAL, REPORT] {
            let file = self.path.join(name);
            if file.exists() {
                return Ok(Report::read(&file)?);
            }
        }
        bail!("there is no report in {}; run it without --resume", self.path.display())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.join(LOCK));
        // A run that was refused leaves nothing behind; a folder that holds something stays.
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |data: fs::Metadata| (data.dev(), data.ino());
    file.metadata().map(of).ok() == fs::metadata(path).map(of).ok()
}

/// Whether an open file is the one that has this path now: elsewhere an open file keeps its path.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Request;

    fn report() -> Report {
        ladder::record(crate::ladders::LADDERS[0], &Request::default(), None, Vec::new())
    }

    #[test]
    fn one_run_at_a_time_has_the_folder() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let first = Folder::open(folder.path()).expect("free");
        let error = Folder::open(folder.path()).err().expect("taken").to_string();
        assert!(error.contains("another run") && error.contains("--out"), "{error}");
        drop(first);
        Folder::open(folder.path()).expect("free again");
    }

    #[test]
    fn a_refused_run_leaves_nothing_behind() {
        let above = tempfile::tempdir().expect("a temporary folder");
        let path = above.path().join("new/out");
        drop(Folder::open(&path).expect("made"));
        assert!(!above.path().join("new").exists());
        let kept = Folder::open(&path).expect("made");
        kept.keep(&report()).expect("written");
        drop(kept);
        assert!(path.join(PARTIAL).exists());
    }

    #[test]
    fn what_was_kept_is_the_latest_until_the_run_ends() {
        let path = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::open(path.path()).expect("free");
        assert!(folder.latest().is_err_and(|error| error.to_string().contains("--resume")));
        let kept = Report { seed: 1, ..report() };
        folder.keep(&kept).expect("written");
        assert_eq!(folder.latest().expect("kept").seed, 1);
        folder.finish(&Report { seed: 2, ..report() }).expect("written");
        assert_eq!(folder.latest().expect("the report").seed, 2);
        assert!(!path.path().join(PARTIAL).exists());
    }
}
