//! Sees when a kernel was saved.
//!
//! It reads the file again and again, and asks no system for events: so it sees every way to save (writing in place,
//! renaming another file to this name) on every file system, and a save that changes nothing is none.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use toolchain::{Error, Source};

/// How often it is read.
const LOOK: Duration = Duration::from_millis(50);

/// A kernel's file and those that it includes.
pub struct Watched {
    file: PathBuf,
    /// The folder of the ladder's kernels: what the kernel includes may be there.
    kernels: PathBuf,
    /// What the last verdict was on; none where it could not be read.
    text: Option<String>,
}

impl Watched {
    /// Watches from the state that the file has now.
    pub fn new(file: &Path, kernels: &Path) -> Watched {
        let mut watched =
            Watched { file: file.to_path_buf(), kernels: kernels.to_path_buf(), text: None };
        watched.text = watched.read();
        watched
    }

    fn read(&self) -> Option<String> {
        let text: String = match Source::replacing(&self.file, &[], &self.kernels) {
            Ok(source) if source.cuda.is_some() => source.text(),
            Ok(source) => source.ptx.into_iter().map(|ptx| ptx.text).collect(),
            // An answer to a question is watched too.
            Err(Error::NotAKernel(_)) => report::files::read_text(&self.file).ok()?,
            Err(_) => return None,
        };
        // Some write a file by emptying it first.
        Some(text).filter(|text| !text.trim().is_empty())
    }

    /// Whether it was saved since the last time, and is whole: an editor may write it in parts.
    pub fn is_saved(&mut self) -> bool {
        let text = self.read();
        // Between the removal of the old file and the arrival of the new one there is none.
        if text == self.text || text.is_none() {
            return false;
        }
        thread::sleep(LOOK);
        if self.read() != text {
            return false;
        }
        self.text = text;
        true
    }

    /// Waits for the next save.
    pub fn wait(&mut self) {
        while !self.is_saved() {
            thread::sleep(LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_no_kernel_is_watched_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answer.toml");
        fs::write(&file, "answer = 1\n").expect("written");
        let mut watched = Watched::new(&file, folder.path());
        assert!(!watched.is_saved());
        fs::write(&file, "answer = 2\n").expect("written");
        assert!(watched.is_saved() && !watched.is_saved());
    }

    #[test]
    fn every_way_to_save_is_seen_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mine.cu");
        fs::write(&file, "#include \"a.cuh\"\n").expect("written");
        fs::write(folder.path().join("a.cuh"), "1").expect("written");
        let mut watched = Watched::new(&file, folder.path());
        assert!(!watched.is_saved());
        fs::write(&file, "#include \"a.cuh\"\n// more\n").expect("written");
        assert!(watched.is_saved() && !watched.is_saved());
        // Written again, with the same text.
        fs::write(&file, "#include \"a.cuh\"\n// more\n").expect("written");
        assert!(!watched.is_saved());
        fs::write(folder.path().join("a.cuh"), "2").expect("written");
        assert!(watched.is_saved());
        fs::write(&file, "").expect("written");
        assert!(!watched.is_saved());
        fs::remove_file(&file).expect("removed");
        assert!(!watched.is_saved());
        let new = folder.path().join("new");
        fs::write(&new, "// other\n").expect("written");
        fs::rename(new, &file).expect("renamed");
        assert!(watched.is_saved() && !watched.is_saved());
    }
}
