//! Bodies from and to a file, in one of two formats.

mod csv;
mod tipsy;

use std::io;
use std::path::{Path, PathBuf};

use super::bodies::Bodies;
use report::files::{WriteError, check_ordinary, write_whole};

/// Why a body file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BodiesError {
    /// It cannot be opened or read.
    #[error("cannot read {}: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Its content is not what its format says; where, and what to do.
    #[error("{}: {problem}", .file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Line and column or byte, what is wrong there, and the remedy.
        problem: String,
    },
}

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Tipsy,
}

impl Format {
    /// By the file's ending; none if it is of neither format.
    fn of_name(file: &Path) -> Option<Format> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" | "txt" => Some(Format::Csv),
            "tipsy" | "bin" => Some(Format::Tipsy),
            _ => None,
        }
    }

    /// By what the file holds: Tipsy's header is binary, CSV's begins with a word.
    fn of_content(content: &[u8]) -> Format {
        let start = &content[..content.len().min(32)];
        match std::str::from_utf8(start) {
            Ok(text) if !text.contains('\0') => Format::Csv,
            _ => Format::Tipsy,
        }
    }
}

/// Reads bodies: CSV with the header `mass,x,y,z,vx,vy,vz`, or Tipsy, the binary format that
/// NVIDIA's n-body sample reads. The file's ending decides (`.csv`, `.txt`; `.tipsy`, `.bin`), else
/// its content.
///
/// # Errors
/// [`BodiesError`]: unreadable, malformed, truncated, not finite, or without bodies.
pub fn read(file: &Path) -> Result<Bodies, BodiesError> {
    let content = check_ordinary(file)
        .and_then(|()| std::fs::read(file))
        .map_err(|source| BodiesError::Read { file: file.to_path_buf(), source })?;
    let bodies = match Format::of_name(file).unwrap_or_else(|| Format::of_content(&content)) {
        Format::Csv => csv::parse(&content),
        Format::Tipsy => tipsy::parse(&content),
    };
    bodies.map_err(|problem| BodiesError::Malformed { file: file.to_path_buf(), problem })
}

/// Writes bodies, whole or not at all: as Tipsy where the file ends in `.tipsy` or `.bin`, else as
/// CSV.
///
/// # Errors
/// [`WriteError`]: the folder is missing, full or not the user's.
pub fn write(file: &Path, bodies: &Bodies) -> Result<(), WriteError> {
    write_whole(file, |out| match Format::of_name(file) {
        Some(Format::Tipsy) => tipsy::write(out, bodies),
        _ => csv::write(out, bodies),
    })
}

#[cfg(test)]
mod tests;
