//! When a launch is stopped: an endless loop keeps its block from ever ending, and a launch that is only large ends one
//! block after the other, but is to end as well.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many times as long as for a block's end a launch is waited for.
const WHOLE: u32 = 60;

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

    /// Whether no block has ended for too long, or the whole launch takes too long.
    pub(super) fn is_over(&self) -> bool {
        let ended = Duration::from_millis(self.ended.load(Ordering::Relaxed));
        self.began.elapsed().saturating_sub(ended) >= self.limit || self.whole().is_some()
    }

    /// The time for the whole launch, if it takes longer.
    pub(crate) fn whole(&self) -> Option<Duration> {
        let most = self.limit.saturating_mul(WHOLE);
        (self.began.elapsed() >= most).then_some(most)
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

    #[test]
    fn a_launch_whose_blocks_end_must_end_as_well() {
        let began = Instant::now().checked_sub(Duration::from_secs(100));
        let began = began.expect("the machine runs longer than that");
        let patience = Patience { began, limit: Duration::from_secs(1), ended: AtomicU64::new(0) };
        patience.goes_on();
        assert!(patience.is_over());
        assert_eq!(patience.whole(), Some(Duration::from_secs(60)));
        let patience = Patience { limit: Duration::from_secs(2), ..patience };
        assert_eq!((patience.is_over(), patience.whole()), (false, None));
    }
}
