//! What a program did, one line of JSON for each launch: so it is known even of a program that is killed.

use std::fs::File;
use std::io::Write;
use std::path::Path;

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
        /// What it did, where, and what to do about it.
        message: String,
    },
    /// A call was refused.
    Refused {
        /// The runtime's function.
        call: String,
        /// Why.
        message: String,
    },
    /// The program called what is not simulated, and was ended.
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
    /// Shared memory of a block in bytes, what the kernel declares and what the launch adds.
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
    /// Modelled time.
    pub seconds: f64,
    /// What bounds it.
    pub binding: Option<String>,
    /// What may go unnoticed on a GPU.
    pub hazards: Vec<String>,
    /// Whether it was only executed: sectors, passes and hazards are unknown, and its time is that of the last one like
    /// it, or leaves out memory.
    #[serde(default)]
    pub unwatched: bool,
}

/// Writes records.
#[derive(Debug, Default)]
pub(crate) struct Log(Option<File>);

impl Log {
    /// Appends to a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Log, String> {
        let Some(path) = path else { return Ok(Log(None)) };
        let file = File::options().append(true).create(true).open(path);
        file.map(|file| Log(Some(file))).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Writes a record; without a log, what is amiss goes to standard error.
    pub(crate) fn write(&mut self, record: &Record) {
        if let Some(file) = &mut self.0 {
            let mut line = serde_json::to_vec(record).unwrap_or_default();
            line.push(b'\n');
            // A line is written whole, whatever other processes write.
            if file.write_all(&line).is_ok() {
                return;
            }
        }
        match record {
            Record::Launch(launch) => launch.hazards.iter().for_each(|it| eprintln!("{it}")),
            Record::Fault { message, .. } => eprintln!("{message}"),
            Record::Refused { call, message } => eprintln!("{call}: {message}"),
            Record::Missing { .. } => {}
        }
    }
}

/// The records of a log.
///
/// # Errors
/// A file that cannot be read. Of a program that was killed the last line may be cut off: it is left out.
pub fn read(path: &Path) -> std::io::Result<Vec<Record>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
