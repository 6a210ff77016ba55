//! Whether all CPU threads' blocks go round in circles, so that nothing will ever change again.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

/// What a CPU thread says of its blocks that has not begun, does not go in circles, has nothing left to do; anything
/// else is the number of changes since which they do.
const ABSENT: u64 = u64::MAX;
const MOVES: u64 = u64::MAX - 1;
const DONE: u64 = u64::MAX - 2;

/// What CPU threads know of each other's blocks.
///
/// A block that came back to a state in which it had been is only stuck if it saw the last change that any block made.
/// So changes are counted, and a thread's word counts only if its blocks have come round since the last of them.
pub(super) struct Circles {
    /// Changes by all blocks.
    changes: AtomicU64,
    /// By CPU thread.
    words: Vec<AtomicU64>,
    joined: AtomicU64,
}

/// One CPU thread's part.
pub(super) struct Own<'a> {
    all: &'a Circles,
    word: Option<&'a AtomicU64>,
    /// The changes that its blocks have seen, and how often they had come round then.
    seen: u64,
    laps: u64,
}

impl Circles {
    pub(super) fn new(threads: usize) -> Circles {
        Circles {
            changes: AtomicU64::new(0),
            words: (0..threads).map(|_| AtomicU64::new(ABSENT)).collect(),
            joined: AtomicU64::new(0),
        }
    }

    /// A CPU thread begins.
    pub(super) fn join(&self) -> Own<'_> {
        let index = self.joined.fetch_add(1, SeqCst) as usize;
        let word = self.words.get(index);
        word.inspect(|word| word.store(MOVES, SeqCst));
        Own { all: self, word, seen: 0, laps: 0 }
    }
}

impl Own<'_> {
    /// After a round of all its blocks: whether no block of any thread will ever change anything again. `laps`: how
    /// often each of its own came round at least; `all_open`: no thread that has not begun finds anything to do.
    pub(super) fn all_go_in_circles(&mut self, changed: bool, laps: u64, all_open: bool) -> bool {
        let Some(word) = self.word else { return false };
        if changed {
            self.all.changes.fetch_add(1, SeqCst);
        }
        let changes = self.all.changes.load(SeqCst);
        if changed || changes != self.seen {
            (self.seen, self.laps) = (changes, laps);
        }
        // A lap may have begun before the last change; the one after it has not.
        if laps != u64::MAX && laps < self.laps.saturating_add(2) {
            word.store(MOVES, SeqCst);
            return false;
        }
        word.store(changes, SeqCst);
        self.all.words.iter().all(|word| match word.load(SeqCst) {
            ABSENT => all_open,
            DONE => true,
            word => word == changes,
        }) && self.all.changes.load(SeqCst) == changes
    }
}

impl Drop for Own<'_> {
    fn drop(&mut self) {
        self.all.changes.fetch_add(1, SeqCst);
        if let Some(word) = self.word {
            word.store(DONE, SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_must_have_come_round_since_the_last_change() {
        let all = Circles::new(2);
        let (mut one, mut other) = (all.join(), all.join());
        assert!(!one.all_go_in_circles(true, 0, true));
        assert!(!one.all_go_in_circles(false, 1, true));
        assert!(!one.all_go_in_circles(false, 2, true), "the other still moves");
        assert!(!other.all_go_in_circles(true, 0, true));
        assert!(!other.all_go_in_circles(false, 2, true), "the first has not seen the change");
        assert!(!one.all_go_in_circles(false, 3, true));
        assert!(!one.all_go_in_circles(false, 4, true));
        assert!(one.all_go_in_circles(false, 5, true));
        assert!(other.all_go_in_circles(false, 3, true));
    }

    #[test]
    fn threads_that_are_done_or_never_begin_are_not_waited_for() {
        let all = Circles::new(3);
        let mut one = all.join();
        drop(all.join());
        assert!(!one.all_go_in_circles(false, 1, true), "it has to look again");
        assert!(!one.all_go_in_circles(false, 3, false), "blocks are still to begin");
        assert!(one.all_go_in_circles(false, 4, true));
    }
}
