//! Whether a block goes round in circles.
//!
//! A block whose threads come to the same places with the same registers, and who changed nothing in between, does the
//! same for ever, unless another block changes memory. Once all its threads that can run have waited for long, its
//! state is compared with an earlier one after every round, in the manner of Brent's search for cycles.

use super::control::State;
use super::run::Warp;
use crate::registers::Digest;

/// What is known of a block's changes.
#[derive(Debug, Default)]
pub(super) struct Stillness {
    /// A former state, how many rounds ago it was, and after how many it is replaced.
    former: Option<(Digest, u64, u64)>,
    /// How often a former state came back.
    laps: u64,
}

impl Stillness {
    /// Something changed.
    pub(super) fn ends(&mut self) {
        *self = Stillness::default();
    }

    /// A round is over in which nothing changed.
    pub(super) fn goes_on(&mut self, warps: &[Warp]) {
        let state = digest(warps);
        let (former, age, most) = self.former.unwrap_or((state, 0, 1));
        self.former = if self.former.is_some() && state == former {
            self.laps += 1;
            Some((former, 0, most))
        } else if age == most {
            Some((state, 0, 2 * most))
        } else {
            Some((former, age + 1, most))
        };
    }

    /// How often the block came back to a state in which it had been, without having changed anything.
    pub(super) fn laps(&self) -> u64 {
        self.laps
    }
}

fn digest(warps: &[Warp]) -> Digest {
    let mut digest = Digest::default();
    for warp in warps {
        warp.registers.digest(&mut digest);
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
