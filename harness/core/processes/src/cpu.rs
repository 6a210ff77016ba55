//! How much processor time a process has taken: what it does, and not what else the machine does meanwhile.

use std::fs;
use std::process::Child;
use std::time::Duration;

/// Ticks of a second in `/proc`, the same on every Linux whatever its own clock does.
const TICKS: u64 = 100;

/// Where user time, system time and those of ended children are, counted from the state of the process.
const TIMES: std::ops::Range<usize> = 11..15;

/// The processor time of a child that was not waited for, with that of its own children that have ended. `None` where the
/// system does not tell it.
pub fn cpu_time(child: &Child) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name before may contain anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(TIMES)?.iter().map(|field| field.parse::<u64>());
    Some(Duration::from_millis(ticks.sum::<Result<u64, _>>().ok()? * 1000 / TICKS))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::Instant;

    use super::*;

    #[test]
    fn what_works_takes_processor_time_and_what_waits_does_not() {
        let start = |script: &str| {
            Command::new("sh")
                .args(["-c", script])
                .stdin(Stdio::piped())
                .spawn()
                .expect("it starts")
        };
        let (mut works, mut waits) = (start("while :; do :; done"), start("read line"));
        let began = Instant::now();
        let enough = |time: Option<Duration>| time.expect("a time") >= Duration::from_millis(100);
        while !enough(cpu_time(&works)) {
            assert!(began.elapsed() < Duration::from_secs(60), "{:?}", cpu_time(&works));
        }
        assert!(!enough(cpu_time(&waits)), "{:?}", cpu_time(&waits));
        for child in [&mut works, &mut waits] {
            child.kill().expect("it runs");
            child.wait().expect("it ends");
        }
        assert_eq!(cpu_time(&works), None);
    }
}
