//! Writing a file whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file could not be written; what was there before is as it was.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}; choose a folder that exists and can be written to", .file.display())]
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
    let folder = match file.parent() {
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
    let mut temporary = builder.prefix(".ladder-").tempfile_in(folder).map_err(failed)?;
    let mut buffered = BufWriter::new(temporary.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    temporary.persist(file).map_err(|error| failed(error.error))?;
    Ok(())
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
}
