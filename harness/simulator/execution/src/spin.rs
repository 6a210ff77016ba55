//! Detects blocks that spin without progress.
//!
//! If a block's threads return to the same places with the same registers and local memory and have changed nothing in between, they
//! repeat that until another block changes what they read. While a block changes nothing, its state is compared with an
//! earlier one: for a few rounds soon after the last change, and then for more rounds, at longer and longer intervals.

use std::sync::atomic::Ordering;

use super::build::Build;
use super::control::State;
use super::reads::{Known, Reads};
use super::warp::Warp;
use super::work::Work;
use memory::Storage;
use program::registers::{Digest, Registers};

/// Least number of rounds for which a state is compared.
const ROUNDS: u64 = 4;

/// The recent states of one block.
#[derive(Debug, Default)]
pub(super) struct SpinDetector {
    /// Rounds since the last change.
    rounds: u64,
    /// An earlier state, and the last round in which it is compared.
    former: Option<(Digest, u64)>,
    /// Set once the block spins: what it reads in each iteration. It sleeps until that changes.
    asleep: Option<Known>,
    /// Whether it has slept and been woken since the last comparison.
    was_woken: bool,
}

impl SpinDetector {
    /// Records that the block changed something.
    pub(super) fn record_change(&mut self, reads: &mut Reads) {
        reads.end();
        *self = SpinDetector::default();
    }

    /// Records a round in which the block changed nothing.
    pub(super) fn record_idle_round(
        &mut self,
        build: Build,
        warps: &mut [Warp],
        reads: &mut Reads,
    ) {
        self.rounds += 1;
        match self.former {
            Some((state, last)) => {
                let now = digest(build, warps);
                if now == state {
                    self.asleep = reads.take();
                } else if std::mem::take(&mut self.was_woken) {
                    // Its registers hold what it has just read again; this may be the state to which it returns.
                    self.compare_later(now, reads);
                } else if self.rounds >= last {
                    self.former = None;
                    reads.end();
                }
            }
            None if is_time(self.rounds) => self.compare_later(digest(build, warps), reads),
            None => {}
        }
    }

    fn compare_later(&mut self, state: Digest, reads: &mut Reads) {
        self.former = Some((state, self.rounds + ROUNDS.max(self.rounds / 4)));
        reads.begin();
    }

    /// What a block that spins waits for; `None` if it is not known to spin.
    pub(super) fn asleep(&self) -> Option<&Known> {
        self.asleep.as_ref()
    }

    /// Lets the block run again, because what it reads has changed.
    pub(super) fn wake(&mut self, reads: &mut Reads) {
        let former = self.former;
        *self = SpinDetector::default();
        // If the change is not what it waits for, it soon returns to the same state.
        if let Some((state, _)) = former {
            self.compare_later(state, reads);
            self.was_woken = true;
        }
    }
}

/// Whether comparisons start after this many rounds: 2, 8, 32 …
fn is_time(rounds: u64) -> bool {
    rounds.is_power_of_two() && rounds.trailing_zeros() % 2 == 1
}

fn digest(build: Build, warps: &mut [Warp]) -> Digest {
    let mut digest = Digest::default();
    for warp in warps {
        let (registers, local) = (&warp.registers, &warp.local);
        digest.join(*warp.digest.get_or_insert_with(|| of_threads(build, registers, local)));
        for fiber in &warp.fibers {
            for frame in &fiber.stack {
                digest.add(u64::from(frame.block) << 32 | u64::from(frame.mask));
                digest.add(frame.meet.into());
            }
            digest.add(u64::from(fiber.executed) << 1 | u64::from(fiber.state == State::Ready));
        }
        digest.add(warp.live.into());
    }
    digest
}

/// What the registers and the local memory of a warp hold.
fn of_threads(build: Build, registers: &Registers, local: &Storage) -> Digest {
    let mut digest = build.run(OfRegisters(registers));
    let words = local.words(0, (local.bytes() / 4) as usize);
    words.iter().for_each(|word| digest.add(word.load(Ordering::Relaxed).into()));
    digest
}

/// What registers hold.
struct OfRegisters<'a>(&'a Registers);

impl Work for OfRegisters<'_> {
    type Result = Digest;

    #[inline(always)]
    fn run(self) -> Digest {
        self.0.digest()
    }
}
