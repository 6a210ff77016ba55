//! Whether a block goes round in circles.
//!
//! A block whose threads come to the same places with the same registers, and who changed nothing in between, does the
//! same until another block changes what they read. While its threads wait and change nothing, its state is compared
//! with an earlier one: for some rounds soon after the last change, and for more, less and less often, if that is in
//! vain.

use super::build::Build;
use super::control::State;
use super::reads::{Known, Reads};
use super::warp::Warp;
use super::work::Work;
use program::registers::{Digest, Registers};

/// Rounds for which a state is compared at least.
const ROUNDS: u64 = 4;

/// What is known of a block's changes.
#[derive(Debug, Default)]
pub(super) struct Stillness {
    /// Rounds since the last change.
    rounds: u64,
    /// A former state, and up to which round it is compared.
    former: Option<(Digest, u64)>,
    /// What the block reads, again and again, as long as it finds there what it found.
    asleep: Option<Known>,
    /// It slept until what it reads changed.
    was_woken: bool,
}

impl Stillness {
    /// Something changed.
    pub(super) fn ends(&mut self, reads: &mut Reads) {
        reads.end();
        *self = Stillness::default();
    }

    /// A round is over in which nothing changed.
    pub(super) fn goes_on(&mut self, build: Build, warps: &mut [Warp], reads: &mut Reads) {
        self.rounds += 1;
        match self.former {
            Some((state, last)) => {
                let now = digest(build, warps);
                if now == state {
                    self.asleep = reads.take();
                } else if std::mem::take(&mut self.was_woken) {
                    // It holds what it read anew, and may be where it will be again after each round.
                    self.compares(now, reads);
                } else if self.rounds >= last {
                    self.former = None;
                    reads.end();
                }
            }
            None if is_time(self.rounds) => self.compares(digest(build, warps), reads),
            None => {}
        }
    }

    fn compares(&mut self, state: Digest, reads: &mut Reads) {
        self.former = Some((state, self.rounds + ROUNDS.max(self.rounds / 4)));
        reads.begin();
    }

    /// What the block waits for while it goes round in a circle.
    pub(super) fn asleep(&self) -> Option<&Known> {
        self.asleep.as_ref()
    }

    /// Lets the block run again: what it reads has changed.
    pub(super) fn wakes(&mut self, reads: &mut Reads) {
        let former = self.former;
        *self = Stillness::default();
        // If the change was not what it waits for, it soon is where it was.
        if let Some((state, _)) = former {
            self.compares(state, reads);
            self.was_woken = true;
        }
    }
}

/// Whether to begin to compare after so many rounds: after 2, 8, 32 …
fn is_time(rounds: u64) -> bool {
    rounds.is_power_of_two() && rounds.trailing_zeros() % 2 == 1
}

fn digest(build: Build, warps: &mut [Warp]) -> Digest {
    let mut digest = Digest::default();
    for warp in warps {
        digest.join(*warp.digest.get_or_insert_with(|| build.run(OfRegisters(&warp.registers))));
        for fiber in &warp.fibers {
            for frame in &fiber.stack {
                digest.add(u64::from(frame.block) << 32 | u64::from(frame.mask));
                digest.add(frame.meet.into());
            }
            digest.add(u64::from(fiber.state == State::Ready));
        }
        digest.add(warp.live.into());
    }
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
