//! One run at a time on a GPU or on the CPU: what two of them time at once is the time of neither.

use std::fs::{File, TryLockError};
use std::path::PathBuf;

/// A device that this run alone times on, until this is dropped or its process ends.
pub struct DeviceLock {
    _lock: Option<File>,
}

impl DeviceLock {
    /// Waits until no other run of this machine has locked the device of this name; calls `waiting` if
    /// one has. Where the system has no locks, nothing is waited for.
    pub fn take(device: &str, waiting: &mut dyn FnMut()) -> DeviceLock {
        let lock = File::options().create(true).truncate(false).write(true).open(path(device)).ok();
        let is_taken = |file: &File| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if let Some(file) = lock.as_ref().filter(|file| is_taken(file)) {
            waiting();
            // Without a lock both run at once, as they would have without asking.
            let _ = file.lock();
        }
        DeviceLock { _lock: lock }
    }
}

/// The file that stands for a device, among those that the process can see.
fn path(device: &str) -> PathBuf {
    let visible = std::env::var("CUDA_VISIBLE_DEVICES").unwrap_or_default();
    let plain = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    std::env::temp_dir().join(format!("ladder-{}-{}.lock", plain(&visible), plain(device)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_second_run_waits_for_the_first() {
        let gpu = format!("test:{}", std::process::id());
        let first = DeviceLock::take(&gpu, &mut || panic!("no one else has it"));
        let (told, heard) = mpsc::channel();
        let name = gpu.clone();
        let second = thread::spawn(move || {
            let _held =
                DeviceLock::take(&name, &mut || told.send("waits").expect("someone listens"));
            told.send("has it").expect("someone listens");
        });
        let patience = Duration::from_secs(10);
        assert_eq!(heard.recv_timeout(patience), Ok("waits"));
        assert!(heard.recv_timeout(Duration::from_millis(100)).is_err(), "it went on");
        drop(first);
        assert_eq!(heard.recv_timeout(patience), Ok("has it"));
        second.join().expect("it ended well");
        let _ = std::fs::remove_file(path(&gpu));
    }
}
