//! Time that goes by while a launch runs.

use std::time::Duration;

/// Time since a launch began.
#[cfg(feature = "clock")]
pub(super) struct Clock(std::time::Instant);

#[cfg(feature = "clock")]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock(std::time::Instant::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Where there is no clock, work stands for time.
#[cfg(not(feature = "clock"))]
pub(super) struct Clock(std::sync::atomic::AtomicU64);

#[cfg(not(feature = "clock"))]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock(std::sync::atomic::AtomicU64::new(0))
    }

    /// A millisecond for each look: between two of them lie some thousand branches of a warp.
    pub(super) fn elapsed(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}
