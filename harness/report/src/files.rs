//! Writing a file whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file could not be written; what was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}; choose a place that exists, can be written to and has room", .file.display())]
pub struct WriteError {
    /// The file as the caller named it.
    pub file: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Writes `file` through a temporary file in the same folder, which takes its name only when
/// `write` and the disk have succeeded.
///
/// # Errors
/// [`WriteError`] with the system's reason; then `file` is untouched.
pub fn write_whole(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let failed = |source| WriteError { file: file.to_path_buf(), source };
    let (target, mut temporary) = temporary(file).map_err(failed)?;
    let mut buffered = BufWriter::new(temporary.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    temporary.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Whether [`write_whole`] could write `file`, so that a run need not end in finding out. Leaves no
/// trace.
///
/// # Errors
/// [`WriteError`], as [`write_whole`] would give it.
pub fn check_writable(file: &Path) -> Result<(), WriteError> {
    let failed = |source| WriteError { file: file.to_path_buf(), source };
    temporary(file).map(drop).map_err(failed)
}

/// Refuses what is there and is no ordinary file: a folder, and also a device or a pipe, which a
/// file put in its place would replace, and which cannot be read twice.
///
/// # Errors
/// In words; or the system's reason why nothing is known of `file`.
pub fn check_ordinary(file: &Path) -> io::Result<()> {
    if file.metadata()?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is there and is no ordinary file"))
    }
}

/// A temporary file that is to become `file`, and what it must then be called: where `file` is a
/// link, the file behind it.
fn temporary(file: &Path) -> io::Result<(PathBuf, NamedTempFile)> {
    match check_ordinary(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let target = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // A temporary file is private by default; this one becomes an ordinary file of the user's.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.prefix(".ladder-").tempfile_in(folder);
    // Without the temporary name, which says nothing to the user.
    let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
    Ok((target, temporary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.json");
        std::fs::write(&file, "old").expect("a file");
        let error = write_whole(&file, |out| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        })
        .expect_err("the writer failed");
        assert!(error.to_string().contains("disk full"), "{error}");
        assert_eq!(std::fs::read(&file).expect("the old file"), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("absent/report.json");
        let error = write_whole(&file, |_| Ok(())).expect_err("no such folder");
        assert!(error.to_string().contains("absent"), "{error}");
    }

    #[test]
    fn a_check_leaves_no_trace() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        check_writable(&folder.path().join("out.csv")).expect("writable");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert!(check_writable(&folder.path().join("absent/out.csv")).is_err());
    }

    #[test]
    fn only_ordinary_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let error = check_writable(folder.path()).expect_err("a folder is no file");
        assert!(error.to_string().contains("no ordinary file"), "{error}");
        #[cfg(unix)]
        {
            let device = Path::new("/dev/null");
            check_writable(device).expect_err("a device is no file");
            write_whole(device, |_| Ok(())).expect_err("a device is no file");
            let (link, file) = (folder.path().join("link"), folder.path().join("file"));
            std::fs::write(&file, "old").expect("a file");
            std::os::unix::fs::symlink(&file, &link).expect("a link");
            write_whole(&link, |out| out.write_all(b"new")).expect("written");
            assert!(link.is_symlink());
            assert_eq!(std::fs::read(&file).expect("the file"), b"new");
        }
    }
}
