//! Files of a user: read if they are ordinary and of bounded size, written whole or not at all.

mod lock;
mod ordinary;

pub use lock::Lock;
pub use ordinary::check_ordinary;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

/// How the names of temporary files begin, each in the folder of the file that it becomes.
const TEMPORARY: &str = ".ladder-";

/// How the names of temporary folders begin, in the system's folder for them.
const SCRATCH: &str = "ladder-scratch-";

/// The size in bytes up to which a file is read whole: a hundred times that of a long run's report.
const MOST_BYTES: u64 = 256 << 20;

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

/// The bytes of an ordinary file of at most 256 MiB.
///
/// # Errors
/// The system's, or in words.
pub fn read(file: &Path) -> io::Result<Vec<u8>> {
    check_ordinary(file)?;
    let mut bytes = Vec::new();
    File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= MOST_BYTES {
        true => Ok(bytes),
        false => Err(io::Error::other(format!("it is larger than {} MiB", MOST_BYTES >> 20))),
    }
}

/// The text of such a file.
///
/// # Errors
/// As [`read`], or that it is no UTF-8.
pub fn read_text(file: &Path) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    String::from_utf8(read(file)?).map_err(no_text)
}

/// The text of what people write with any editor: without a byte order mark, and in Latin-1 where it is no UTF-8.
///
/// # Errors
/// It is UTF-16, or no text.
pub fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    let no_text = |why| Err(io::Error::new(io::ErrorKind::InvalidData, why));
    if bytes.contains(&0) {
        return match bytes.as_slice() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => no_text("it is in UTF-16; save it in UTF-8"),
            _ => no_text("it is no text"),
        };
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A folder for files that only this process needs, removed when this is dropped; one that a killed process
/// left is removed by the next.
pub struct Scratch {
    folder: TempDir,
    /// Locked, so that others see that this process runs; only on Unix can a folder be opened.
    _lock: Option<File>,
}

impl Scratch {
    /// Makes the folder where the system has temporary files.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> io::Result<Scratch> {
        let place = tempfile::env::temp_dir();
        Scratch::remove_abandoned();
        loop {
            let folder = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(&place)?;
            let lock = match File::open(folder.path()) {
                Ok(open) => Some(open),
                // Another process found it before it was locked, and removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => None,
            };
            // Another process may have found it before it was locked.
            let is_ours = |lock: &File| {
                lock::is_free(lock).unwrap_or(true) && lock::is_at(lock, folder.path())
            };
            if lock.as_ref().is_none_or(is_ours) {
                return Ok(Scratch { folder, _lock: lock });
            }
        }
    }

    /// Removes those that killed processes left.
    pub fn remove_abandoned() {
        lock::remove_abandoned(&tempfile::env::temp_dir(), SCRATCH);
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A temporary file that is to become `file`, and what it must then be called: where `file` is a
/// link, the file it leads to. Those that killed processes left in the folder are removed.
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
    lock::remove_abandoned(folder, TEMPORARY);
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(TEMPORARY);
        // A temporary file is private by default; this one becomes an ordinary file of the user's.
        #[cfg(unix)]
        {
            use std::fs::Permissions;
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder);
        // Without the temporary name, which says nothing to the user.
        let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
        // Another process may have found it before it was locked.
        let is_free = lock::is_free(temporary.as_file()).unwrap_or(true);
        if is_free && lock::is_at(temporary.as_file(), temporary.path()) {
            return Ok((target, temporary));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_editors_write_is_text_in_any_usual_encoding() {
        for (bytes, expected) in [
            (&b"\xef\xbb\xbfint a;\r\n"[..], "int a;\r\n"),
            (b"// Gr\xf6\xdfe", "// Größe"),
            ("// Größe".as_bytes(), "// Größe"),
        ] {
            assert_eq!(text_of(bytes.to_vec()).expect("text"), expected);
        }
        for (bytes, words) in [(&b"\xff\xfei\0"[..], "UTF-16"), (b"\x7fELF\0", "no text")] {
            let error = text_of(bytes.to_vec()).expect_err("no text").to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.json");
        fs::write(&file, "old").expect("a file");
        let error = write_whole(&file, |out| {
            out.write_all(b"half of the new")?;
            Err(io::Error::other("disk full"))
        })
        .expect_err("the writer failed");
        assert!(error.to_string().contains("disk full"), "{error}");
        assert_eq!(fs::read(&file).expect("the old file"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
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
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert!(check_writable(&folder.path().join("absent/out.csv")).is_err());
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(".ladder-1a2b3c"), "half").expect("a file");
        write_whole(&folder.path().join("new"), |out| out.write_all(b"whole")).expect("written");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let scratch = Scratch::new().expect("a folder");
        let other = Scratch::new().expect("another");
        assert!(scratch.path().is_dir() && other.path().is_dir());
        drop(scratch);
        assert!(other.path().is_dir());
    }

    #[test]
    fn only_ordinary_files_of_bounded_size_are_read_and_replaced() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let is_refused = |path: &Path| {
            for error in [check_writable(path).map_err(|it| it.source), read(path).map(drop)] {
                let error = error.expect_err("no file").to_string();
                assert!(error.contains("no ordinary file"), "{error}");
            }
        };
        is_refused(folder.path());
        let large = folder.path().join("large");
        File::create(&large).and_then(|it| it.set_len(MOST_BYTES + 1)).expect("a sparse file");
        assert!(read(&large).is_err_and(|error| error.to_string().contains("256 MiB")));
        #[cfg(unix)]
        {
            is_refused(Path::new("/dev/null"));
            write_whole(Path::new("/dev/null"), |_| Ok(())).expect_err("a device is no file");
            let (link, file) = (folder.path().join("link"), folder.path().join("file"));
            fs::write(&file, "old").expect("a file");
            std::os::unix::fs::symlink(&file, &link).expect("a link");
            write_whole(&link, |out| out.write_all(b"new")).expect("written");
            assert!(link.is_symlink());
            assert_eq!(read_text(&file).expect("the file"), "new");
        }
    }

    #[test]
    fn scratch_folders_that_are_made_at_once_are_all_there() {
        let make = || {
            for _ in 0..100 {
                let scratch = Scratch::new().expect("a folder");
                fs::write(scratch.path().join("file"), "text").expect("written");
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(make))));
    }
}
