//! Reading and writing a report.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use serde_path_to_error::Segment;

use crate::files::{self, WriteError, write_whole};
use crate::{InvalidReport, Report, SCHEMA, json};

/// A file that is not a report, or not one that this program understands.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The file could not be read.
    #[error("cannot read the report {}: {source}; `cargo run -p harness -- run --out DIR` makes one in DIR", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not JSON, or a field is missing or of the wrong kind.
    #[error("{} is not a report: {field}{source}", .file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Where it is wrong, with a colon: "row 2: timed\[0\].seconds: ".
        field: String,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// Another version of the format.
    #[error(
        "{} has schema {found}, this program reads {reads}; \
         make it again with `cargo run -p harness`, or use a newer program",
        .file.display()
    )]
    Version {
        /// The file.
        file: PathBuf,
        /// The version it states.
        found: u64,
        /// The version that is read.
        reads: u32,
    },
    /// A value that no run can have written.
    #[error("{} is not a valid report: {problem}", .file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// Which value it is.
        problem: InvalidReport,
    },
}

impl Report {
    /// Reads and checks a report.
    ///
    /// # Errors
    /// [`ReportError`]: unreadable, not JSON, another version, a missing field, an impossible value.
    pub fn read(file: &Path) -> Result<Report, ReportError> {
        Report::from_json(&read_file(file)?, file)
    }

    /// Reads the reports in the folders below `dir`, by their names; a folder without one is passed over.
    ///
    /// # Errors
    /// As [`Report::read`]; there is none.
    pub fn read_below(dir: &Path) -> Result<Vec<Report>, ReportError> {
        let unreadable = |source| ReportError::Read { file: dir.to_path_buf(), source };
        let entries = dir.read_dir().map_err(unreadable)?.flatten();
        let files = entries.map(|entry| entry.path().join("report.json"));
        let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
        files.sort();
        match files.is_empty() {
            true => Err(unreadable(io::ErrorKind::NotFound.into())),
            false => files.iter().map(|file| Report::read(file)).collect(),
        }
    }

    /// Checks the text of a report; `file` names it in messages.
    ///
    /// # Errors
    /// As [`Report::read`].
    pub fn from_json(text: &[u8], file: &Path) -> Result<Report, ReportError> {
        let report: Report = of_version(text, file, SCHEMA)?;
        match report.check() {
            Ok(()) => Ok(report),
            Err(problem) => Err(ReportError::Invalid { file: file.to_path_buf(), problem }),
        }
    }

    /// The report as JSON text, with a final line end.
    ///
    /// # Panics
    /// If `options` holds a file name that is not text: [`crate::Request::as_asked`] leaves none.
    pub fn to_json(&self) -> String {
        json::to_text(self).expect("names are text")
    }

    /// Writes the report, whole or not at all.
    ///
    /// # Errors
    /// [`WriteError`]: the folder is missing, full or not the user's.
    pub fn write(&self, file: &Path) -> Result<(), WriteError> {
        write_whole(file, |out| out.write_all(self.to_json().as_bytes()))
    }
}

/// Reads a file of one version of its format.
pub(crate) fn read_version<T: DeserializeOwned>(
    file: &Path,
    version: u32,
) -> Result<T, ReportError> {
    of_version(&read_file(file)?, file, version)
}

fn read_file(file: &Path) -> Result<Vec<u8>, ReportError> {
    files::read(file).map_err(|source| ReportError::Read { file: file.to_path_buf(), source })
}

/// Data of one version of its format; `file` names it in messages.
fn of_version<T: DeserializeOwned>(text: &[u8], file: &Path, reads: u32) -> Result<T, ReportError> {
    /// The one field that every version has.
    #[derive(Deserialize)]
    struct Version {
        schema: u64,
    }
    let Version { schema: found } = parse(text, file)?;
    if found != u64::from(reads) {
        return Err(ReportError::Version { file: file.to_path_buf(), found, reads });
    }
    parse(text, file)
}

/// JSON text as data, with the field's name where it is not what it must be.
fn parse<T: DeserializeOwned>(text: &[u8], file: &Path) -> Result<T, ReportError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let malformed =
        |field, source| ReportError::Malformed { file: file.to_path_buf(), field, source };
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| malformed(place(error.path()), error.into_inner()))?;
    json.end().map_err(|source| malformed(String::new(), source))?;
    Ok(value)
}

/// A path as messages begin with it: rows are counted from 1, as everywhere.
fn place(path: &serde_path_to_error::Path) -> String {
    let segments: Vec<&Segment> = path.iter().collect();
    let (row, rest) = match segments.as_slice() {
        [Segment::Map { key }, Segment::Seq { index }, rest @ ..] if key == "rows" => {
            (format!("row {}: ", index + 1), rest)
        }
        rest => (String::new(), rest),
    };
    let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
    match rest.join(".").replace(".[", "[") {
        field if field.is_empty() => row,
        field => format!("{row}{field}: "),
    }
}
