//! What a report says of the computer. No host name, no user name.

use std::process::Command;

use serde::{Deserialize, Serialize};

/// The computer a run was made on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system: "linux".
    pub os: String,
    /// Processor architecture: "x86_64".
    pub arch: String,
    /// The processor's name as it calls itself; none where the system does not tell.
    pub cpu: Option<String>,
    /// Hardware threads that the run could use.
    pub cores: u32,
}

impl Machine {
    /// This computer.
    pub fn here() -> Machine {
        Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu: cpu_name(),
            cores: std::thread::available_parallelism()
                .map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX)),
        }
    }
}

/// The processor's name as the system gives it.
fn cpu_name() -> Option<String> {
    let name = if cfg!(target_os = "macos") {
        output_of(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]))?
    } else if cfg!(windows) {
        std::env::var("PROCESSOR_IDENTIFIER").ok()?
    } else {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = cpus.lines().find(|line| line.starts_with("model name"))?;
        line.split_once(':')?.1.to_owned()
    };
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The workspace's git revision; none outside a clone or without git.
pub(super) fn revision() -> Option<String> {
    let root = crate::workspace::root().ok()?;
    let git = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    output_of(Command::new("git").arg("-C").arg(root).args(git))
}

/// What a command that succeeded wrote, trimmed.
fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(text).filter(|text| !text.is_empty())
}
