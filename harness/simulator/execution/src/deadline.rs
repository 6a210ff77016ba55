//! The time limit of a launch: for each block to end, and for the whole launch. Each CPU thread measures its own CPU time,
//! so a busy machine stops no launch.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::clock::Clock;

/// The limit of a whole launch, as a multiple of that of a block.
const WHOLE: u32 = 60;

/// The time limit of a launch.
pub struct Limit {
    limit: Duration,
    /// Blocks that have ended.
    ended: AtomicU64,
}

impl Limit {
    /// Of CPU time without the end of a block.
    pub fn new(limit: Duration) -> Limit {
        Limit { limit, ended: AtomicU64::new(0) }
    }
}

/// The time limit as one CPU thread applies it.
pub struct Deadline<'a> {
    of_launch: &'a Limit,
    clock: Clock,
    /// How many blocks had ended when this thread last saw that one more has, and its time then.
    seen: Cell<(u64, Duration)>,
}

impl<'a> Deadline<'a> {
    /// For a CPU thread that begins to work on the launch now.
    pub fn new(of_launch: &'a Limit) -> Deadline<'a> {
        let seen = Cell::new((of_launch.ended.load(Ordering::Relaxed), Duration::ZERO));
        Deadline { of_launch, clock: Clock::start(), seen }
    }

    /// A block has ended.
    pub fn goes_on(&self) {
        self.of_launch.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether no block has ended for too long, or the whole launch takes too long.
    pub(super) fn is_over(&self) -> bool {
        let (ended, now) = (self.of_launch.ended.load(Ordering::Relaxed), self.clock.elapsed());
        if self.seen.get().0 != ended {
            self.seen.set((ended, now));
        }
        now.saturating_sub(self.seen.get().1) >= self.of_launch.limit || self.whole().is_some()
    }

    /// The time for the whole launch, if it takes longer.
    pub fn whole(&self) -> Option<Duration> {
        let most = self.of_launch.limit.saturating_mul(WHOLE);
        (self.clock.elapsed() >= most).then_some(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_that_ends_gives_the_others_more_time() {
        let limit = Limit::new(Duration::from_millis(20));
        let deadline = Deadline::new(&limit);
        while !deadline.is_over() {
            std::hint::spin_loop();
        }
        deadline.goes_on();
        assert!(!deadline.is_over());
    }

    #[test]
    fn a_launch_whose_blocks_end_must_end_as_well() {
        let limit = Limit::new(Duration::from_millis(2));
        let deadline = Deadline::new(&limit);
        while deadline.whole().is_none() {
            deadline.goes_on();
        }
        deadline.goes_on();
        assert!(deadline.is_over());
        assert_eq!(deadline.whole(), Some(Duration::from_millis(120)));
        assert_eq!(Deadline::new(&limit).whole(), None);
    }

    #[cfg(feature = "clock")]
    #[test]
    fn a_thread_that_does_not_get_the_cpu_is_waited_for() {
        let limit = Limit::new(Duration::from_millis(200));
        let deadline = Deadline::new(&limit);
        std::thread::sleep(Duration::from_millis(250));
        assert!(!deadline.is_over());
    }
}
