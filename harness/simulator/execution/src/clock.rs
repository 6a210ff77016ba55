//! Time that a CPU thread works on a launch. It is the CPU's and not the wall's: where other programs want the CPU as
//! well, a launch takes longer and does no more.

use std::time::Duration;

#[cfg(all(feature = "clock", not(target_family = "wasm")))]
use cpu_time::ThreadTime;
// There is one thread, and it waits for nothing.
#[cfg(all(feature = "clock", target_family = "wasm"))]
use std::time::Instant as ThreadTime;

/// Time that this CPU thread has worked since a launch began; not for other threads.
#[cfg(feature = "clock")]
pub(super) struct Clock(ThreadTime);

#[cfg(feature = "clock")]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock(ThreadTime::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Where there is no clock, looks at it stand for time.
#[cfg(not(feature = "clock"))]
pub(super) struct Clock(std::cell::Cell<u64>);

#[cfg(not(feature = "clock"))]
impl Clock {
    pub(super) fn start() -> Clock {
        Clock(std::cell::Cell::new(0))
    }

    /// A millisecond for each look: between two of them lie some thousand branches of a warp.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.set(self.0.get() + 1);
        Duration::from_millis(self.0.get())
    }
}
