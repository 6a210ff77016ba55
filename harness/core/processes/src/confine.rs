//! Takes from this process what an untrusted kernel does not need: files, the network, other processes, memory and time
//! without end. It is done by the process itself, before any untrusted code is compiled, and cannot be undone.

#[cfg(target_os = "linux")]
mod linux;
pub mod program;
mod room;

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};

pub use room::Room;

/// What a process may use of the machine.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time, s.
    pub cpu_seconds: u64,
    /// Memory, bytes.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { cpu_seconds: 60, memory_bytes: 4 << 30 }
    }
}

/// The most files that a process may have open; more where it may start others.
#[cfg(unix)]
const MOST_FILES: [u64; 2] = [64, 1024];

/// The most bytes of a file that a process writes where it may.
#[cfg(unix)]
const MOST_WRITTEN: u64 = 64 << 20;

/// Confines this process: of the machine's files it can read `readable` and what is below these, and write none. It returns
/// what this system cannot forbid.
///
/// # Errors
/// The system refuses what it offers.
pub fn confine(limits: &Limits, readable: &[PathBuf]) -> Result<Vec<String>> {
    confine_to(limits, &Room { readable, ..Room::default() })
}

/// Confines this process to what `room` has, and returns what this system cannot forbid.
///
/// # Errors
/// The system refuses what it offers.
pub fn confine_to(limits: &Limits, room: &Room) -> Result<Vec<String>> {
    let mut missing = limit(limits, room)?;
    #[cfg(target_os = "linux")]
    missing.extend(linux::confine(room)?);
    #[cfg(not(target_os = "linux"))]
    missing.push("files, the network and other processes (only Linux can forbid them)".to_owned());
    Ok(missing)
}

/// Limits what the process uses.
#[cfg(unix)]
fn limit(limits: &Limits, room: &Room) -> Result<Vec<String>> {
    use rlimit::Resource;

    let mut missing = Vec::new();
    let most_written = if room.writable.is_empty() { 0 } else { MOST_WRITTEN };
    let most_files = MOST_FILES[usize::from(room.may_start)];
    // A second after the polite signal comes the other.
    for (resource, soft, hard, name) in [
        (Resource::CPU, limits.cpu_seconds, limits.cpu_seconds + 1, "time"),
        (Resource::AS, limits.memory_bytes, limits.memory_bytes, "memory"),
        (Resource::FSIZE, most_written, most_written, "the size of files"),
        (Resource::NOFILE, most_files, most_files, "open files"),
        (Resource::CORE, 0, 0, "core dumps"),
    ] {
        let (_, most) = resource.get().unwrap_or((u64::MAX, u64::MAX));
        if resource.set(soft.min(most), hard.min(most)).is_err() {
            missing.push(format!("{name} without end"));
        }
    }
    Ok(missing)
}

#[cfg(not(unix))]
fn limit(_: &Limits, _: &Room) -> Result<Vec<String>> {
    Ok(vec!["memory without end".to_owned()])
}
