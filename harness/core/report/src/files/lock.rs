//! Files whose lock says that their owner still runs. The system releases a lock however its process ends, so
//! what a killed process left is recognised and removed.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::ordinary::no_ordinary_file;

/// A lock file that this process alone holds; removed when this is dropped.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, or returns `None` if another process holds it. Where the file system has no locks,
    /// nobody holds it.
    ///
    /// # Errors
    /// The file cannot be written, or what has its name is no ordinary file: to open a pipe would hang.
    pub fn try_take(path: &Path) -> io::Result<Option<Lock>> {
        loop {
            if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
                return Err(no_ordinary_file());
            }
            let file = File::options().create(true).truncate(false).write(true).open(path)?;
            if !is_free(&file)? {
                return Ok(None);
            }
            // Its last owner may have removed it after we opened it.
            if is_at(&file, path) {
                return Ok(Some(Lock { path: path.to_path_buf(), _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Locks an open file or folder until it is closed; `false` if another process has.
pub(super) fn is_free(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether an open file is the one that has this path now.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of = |data: fs::Metadata| (data.dev(), data.ino());
    file.metadata().map(of).ok() == fs::symlink_metadata(path).map(of).ok()
}

/// Whether an open file is the one that has this path now: elsewhere an open file keeps its path.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Removes the files and folders of `folder` that begin with `prefix` and whose owners no longer run. What
/// cannot be removed stays.
pub(super) fn remove_abandoned(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(prefix);
        let Some(kind) = entry.file_type().ok().filter(|_| is_ours) else { continue };
        if !kind.is_file() && !kind.is_dir() {
            continue;
        }
        // Without locks nobody knows whether the owner runs.
        let abandoned = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
        // Locked until it is removed: else an owner that has just made it could lock it in between.
        if let Some(_locked) = abandoned.filter(|file| is_at(file, &path)) {
            let _ = if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_one_owner_and_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("lock");
        let first = Lock::try_take(&path).expect("a file").expect("free");
        assert!(Lock::try_take(&path).expect("a file").is_none());
        drop(first);
        assert!(!path.exists());
        assert!(Lock::try_take(&path).expect("a file").is_some());
    }

    #[test]
    fn only_what_is_abandoned_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        for name in [".ours-left", ".ours-held", "other"] {
            fs::write(path(name), "").expect("a file");
        }
        let held = File::open(path(".ours-held")).expect("the file");
        held.lock().expect("free");
        if cfg!(unix) {
            fs::create_dir_all(path(".ours-folder/below")).expect("a folder");
        }
        remove_abandoned(folder.path(), ".ours-");
        let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
        let mut left: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        left.sort();
        assert_eq!(left, [".ours-held", "other"]);
    }
}
