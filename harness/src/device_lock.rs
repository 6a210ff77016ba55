//! One run at a time on a GPU or on the CPU: what two of them time at once is the time of neither.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use report::files::Lock;

/// How often a device that another run has is asked for.
const LOOK: Duration = Duration::from_millis(50);

/// A device that this run alone times on, until this is dropped or its process ends.
pub struct DeviceLock {
    _lock: Option<Lock>,
}

impl DeviceLock {
    /// Waits until no other run of this machine has locked the device of this name, or until `stop`; calls
    /// `waiting` if one has. Where no lock file can be written, nothing is waited for.
    pub fn take(device: &str, waiting: &mut dyn FnMut(), stop: &dyn Fn() -> bool) -> DeviceLock {
        let path = path(device);
        let mut is_first = true;
        loop {
            match Lock::try_take(&path) {
                Ok(None) if !stop() => {}
                taken => return DeviceLock { _lock: taken.ok().flatten() },
            }
            if std::mem::take(&mut is_first) {
                waiting();
            }
            thread::sleep(LOOK);
        }
    }
}

/// The file that stands for a device, among those that the process can see.
fn path(device: &str) -> PathBuf {
    let visible = std::env::var("CUDA_VISIBLE_DEVICES").unwrap_or_default();
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    tempfile::env::temp_dir().join(format!("ladder-{}-{}.lock", plain(&visible), plain(device)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_second_run_waits_for_the_first() {
        let gpu = format!("test:{}", std::process::id());
        let never = || false;
        let first = DeviceLock::take(&gpu, &mut || panic!("no one else has it"), &never);
        let (events, heard) = mpsc::channel();
        let name = gpu.clone();
        let second = thread::spawn(move || {
            let waits = &mut || events.send("waits").expect("someone listens");
            let _held = DeviceLock::take(&name, waits, &never);
            events.send("has it").expect("someone listens");
        });
        let patience = Duration::from_secs(10);
        assert_eq!(heard.recv_timeout(patience), Ok("waits"));
        assert!(heard.recv_timeout(Duration::from_millis(100)).is_err(), "it went on");
        DeviceLock::take(&gpu, &mut || {}, &|| true); // stopped at once
        drop(first);
        assert_eq!(heard.recv_timeout(patience), Ok("has it"));
        second.join().expect("it ended well");
        assert!(!path(&gpu).exists());
    }
}
