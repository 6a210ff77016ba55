//! When a launch is stopped: an endless loop keeps its block from ever ending, and a launch that is only large ends one
//! block after the other, but is to end as well.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::clock::Clock;

/// How many times as long as for a block's end a launch is waited for.
const WHOLE: u32 = 60;

/// How long a launch is waited for.
pub(crate) struct Patience {
    clock: Clock,
    limit: Duration,
    /// When a block last ended, in milliseconds since the launch began.
    ended: AtomicU64,
}

impl Patience {
    /// For a launch that begins now.
    pub(crate) fn new(limit: Duration) -> Patience {
        Patience { clock: Clock::start(), limit, ended: AtomicU64::new(0) }
    }

    /// A block has ended.
    pub(crate) fn goes_on(&self) {
        let now = u64::try_from(self.clock.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.ended.fetch_max(now, Ordering::Relaxed);
    }

    /// Whether no block has ended for too long, or the whole launch takes too long.
    pub(super) fn is_over(&self) -> bool {
        let ended = Duration::from_millis(self.ended.load(Ordering::Relaxed));
        self.clock.elapsed().saturating_sub(ended) >= self.limit || self.whole().is_some()
    }

    /// The time for the whole launch, if it takes longer.
    pub(crate) fn whole(&self) -> Option<Duration> {
        let most = self.limit.saturating_mul(WHOLE);
        (self.clock.elapsed() >= most).then_some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_ends_gives_the_others_more_time() {
        let patience = Patience::new(Duration::from_millis(20));
        while !patience.is_over() {
            std::thread::yield_now();
        }
        patience.goes_on();
        assert!(!patience.is_over());
    }

    #[test]
    fn a_launch_whose_blocks_end_must_end_as_well() {
        let patience = Patience::new(Duration::from_millis(2));
        while patience.whole().is_none() {
            patience.goes_on();
            std::thread::yield_now();
        }
        patience.goes_on();
        assert!(patience.is_over());
        assert_eq!(patience.whole(), Some(Duration::from_millis(120)));
        assert_eq!(Patience::new(Duration::from_secs(1)).whole(), None);
    }
}
