//! What a program did, as one line of JSON for each launch. The lines remain when the program is killed.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Record {
    /// A kernel ran to its end.
    Launch(Launched),
    /// A kernel was stopped.
    Fault {
        /// The kernel.
        kernel: String,
        /// The fault, its place and the remedy.
        message: String,
    },
    /// A call was refused.
    Refused {
        /// The runtime's function.
        call: String,
        /// Why it was refused.
        message: String,
    },
    /// The program was ended because it called what is not simulated.
    Missing {
        /// The runtime's function.
        call: String,
    },
}

/// A launch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Launched {
    /// The kernel's name in the PTX.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared_bytes: u32,
    /// Instructions issued by warps.
    pub warp_instructions: u64,
    /// The same, times the threads active in each.
    pub thread_instructions: u64,
    /// Sectors of 32 bytes that requests to global memory touched.
    pub global_sectors: u64,
    /// Passes over the banks of shared memory.
    pub shared_wavefronts: u64,
    /// Atomic operations issued by warps.
    pub atomics: u64,
    /// Modelled time, s.
    pub seconds: f64,
    /// The bound that determines it.
    pub binding: Option<String>,
    /// Hazards: defects that may go unnoticed on a GPU.
    pub hazards: Vec<String>,
    /// Hazards that the memory model of PTX knows and GPUs of today do not show.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// Whether it ran unchecked: sectors, passes and hazards are unknown, and its time is that of the last one with the
    /// same shape, or leaves out memory.
    #[serde(default)]
    pub unwatched: bool,
}

/// Why a log cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", file.display())]
pub(crate) struct LogError {
    file: PathBuf,
    error: io::Error,
}

/// Writes records to a file, if there is one.
#[derive(Debug, Default)]
pub(crate) struct Log(Option<File>);

impl Log {
    /// Appends to a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Log, LogError> {
        let Some(path) = path else { return Ok(Log(None)) };
        let file = File::options().append(true).create(true).open(path);
        file.map(|file| Log(Some(file))).map_err(|error| LogError { file: path.into(), error })
    }

    /// Writes a record. Without a log, hazards and errors go to standard error.
    pub(crate) fn write(&mut self, record: &Record) {
        if let Some(file) = &mut self.0 {
            let mut line = serde_json::to_vec(record).unwrap_or_default();
            line.push(b'\n');
            // One write per line: other processes may append to the same file.
            if file.write_all(&line).is_ok() {
                return;
            }
        }
        match record {
            Record::Launch(launch) => {
                launch.hazards.iter().chain(&launch.warnings).for_each(|it| eprintln!("{it}"));
            }
            Record::Fault { message, .. } => eprintln!("{message}"),
            Record::Refused { call, message } => eprintln!("{call}: {message}"),
            Record::Missing { .. } => {}
        }
    }
}

/// The records of a log.
///
/// # Errors
/// A file that cannot be read. A last line that was cut off, because the program was killed, is left out.
pub fn read(path: &Path) -> io::Result<Vec<Record>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
