//! When a launch is stopped: an endless loop keeps its block from ever ending, and a launch that is only large ends one
//! block after the other.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a launch is waited for.
pub(crate) struct Patience {
    began: Instant,
    limit: Duration,
    /// When a block last ended, in milliseconds since the launch began.
    ended: AtomicU64,
}

impl Patience {
    /// For a launch that begins now.
    pub(crate) fn new(limit: Duration) -> Patience {
        Patience { began: Instant::now(), limit, ended: AtomicU64::new(0) }
    }

    /// A block has ended.
    pub(crate) fn goes_on(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.ended.fetch_max(now, Ordering::Relaxed);
    }

    /// Whether no block has ended for too long.
    pub(super) fn is_over(&self) -> bool {
        let ended = Duration::from_millis(self.ended.load(Ordering::Relaxed));
        self.began.elapsed().saturating_sub(ended) >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_ends_gives_the_others_more_time() {
        let began = Instant::now().checked_sub(Duration::from_secs(100));
        let began = began.expect("the machine runs longer than that");
        let patience = Patience { began, limit: Duration::from_secs(50), ended: AtomicU64::new(0) };
        assert!(patience.is_over());
        patience.goes_on();
        assert!(!patience.is_over());
    }
}
