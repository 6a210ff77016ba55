//! What is kept of a student's files, and how much at most.

use std::io::Read;

use super::clean;

/// Why nothing of a submission is taken, in words for the student.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub String);

impl From<String> for Refused {
    fn from(why: String) -> Refused {
        Refused(why)
    }
}

/// The most files of a student.
pub const MOST_FILES: usize = 2000;

/// The most bytes of all of them that are kept.
pub const MOST_BYTES: u64 = 16 << 20;

/// The most bytes of one.
const MOST_OF_FILE: u64 = 1 << 20;

/// Endings of the files that exercises ask for.
const ENDINGS: [&str; 5] = ["cu", "cuh", "ptx", "toml", "rs"];

/// A file of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// Its path in the submission, with slashes; harmful characters are written as `\u{9b}`.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Handed {
    /// Its name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The folder that it is in.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// What is kept of a student's files: those that an exercise can ask for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// In the order in which they were met.
    pub files: Vec<Handed>,
    /// What the student should know of how they were taken.
    pub notes: Vec<String>,
    /// The files of the archive that is being unpacked begin here.
    archive: Option<usize>,
    bytes: u64,
    seen: usize,
}

impl Kept {
    /// Keeps a file, if exercises ask for such.
    ///
    /// # Errors
    /// It is too large, there are too many, or it cannot be read.
    pub fn add(&mut self, path: &str, from: &mut dyn Read) -> Result<(), Refused> {
        self.count()?;
        let path = clean::line(path).replace('\\', "/");
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        if !ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            return Ok(());
        }
        let mut bytes = Vec::new();
        let read = from.take(MOST_OF_FILE + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("{path} cannot be read: {error}"))?;
        if bytes.len() as u64 > MOST_OF_FILE {
            return Err(format!("{path} is too large (limit {} KiB)", MOST_OF_FILE >> 10).into());
        }
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_BYTES {
            return Err(
                format!("the files are larger than {} MiB together", MOST_BYTES >> 20).into()
            );
        }
        let of_archive = self.archive.map_or(&[][..], |first| &self.files[first..]);
        match of_archive.iter().position(|file| file.path == path) {
            Some(place) => {
                let place = place + self.archive.unwrap_or_default();
                self.note(format!("{path} is in the archive several times: the last one counts"));
                self.files[place].bytes = bytes;
            }
            None => self.files.push(Handed { path, bytes }),
        }
        Ok(())
    }

    /// Takes the files that `unpack` adds for those of one archive: of several with the same name the last one counts.
    ///
    /// # Errors
    /// Those of `unpack`.
    pub fn in_archive(
        &mut self,
        unpack: impl FnOnce(&mut Kept) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        self.archive = Some(self.files.len());
        let unpacked = unpack(self);
        self.archive = None;
        unpacked
    }

    /// Writes down what the student should know, once.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Counts a file or a folder that was met.
    ///
    /// # Errors
    /// There are too many.
    pub fn count(&mut self) -> Result<(), Refused> {
        self.seen += 1;
        match self.seen > MOST_FILES {
            true => Err(format!("there are more than {MOST_FILES} files").into()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_refused() {
        let mut kept = Kept::default();
        let error = kept.add("a.cu", &mut std::io::repeat(b'a')).expect_err("endless");
        assert!(error.0.contains("a.cu is too large (limit 1024 KiB)"), "{error}");
        let many = (0..20).map(|_| kept.add("a.cu", &mut std::io::repeat(b'a').take(MOST_OF_FILE)));
        assert!(many.into_iter().any(|it| it.is_err_and(|it| it.0.contains("16 MiB together"))));
    }
}
