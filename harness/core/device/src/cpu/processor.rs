//! What the system reports of the processor.

use std::process::Command;

/// Memory that is assumed where the system does not tell, in bytes: what any computer of these years has.
const MEMORY: u64 = 4 << 30;

/// The processor's name as it calls itself. `None` where the system does not report it.
pub fn processor() -> Option<String> {
    let name = if cfg!(target_os = "macos") {
        sysctl("machdep.cpu.brand_string")?
    } else if cfg!(windows) {
        std::env::var("PROCESSOR_IDENTIFIER").ok()?
    } else {
        let cpus = std::fs::read_to_string("/proc/cpuinfo").ok()?;
        let line = cpus.lines().find(|line| line.starts_with("model name"))?;
        line.split_once(':')?.1.to_string()
    };
    Some(name.trim().to_string()).filter(|name| !name.is_empty())
}

/// Threads that may run at once.
pub(super) fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// All memory and what is free of it, in bytes.
pub(super) fn memory() -> (u64, u64) {
    if cfg!(target_os = "macos") {
        let all = sysctl("hw.memsize").and_then(|bytes| bytes.trim().parse().ok());
        let all = all.unwrap_or(MEMORY);
        return (all, all);
    }
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let of = |field: &str| {
        let line = told.lines().find_map(|line| line.strip_prefix(field))?;
        let kilobytes: u64 =
            line.trim_start_matches(':').trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes << 10)
    };
    let all = of("MemTotal").unwrap_or(MEMORY);
    (all, of("MemAvailable").unwrap_or(all))
}

/// What macOS says of itself.
fn sysctl(name: &str) -> Option<String> {
    let output = Command::new("sysctl").args(["-n", name]).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
