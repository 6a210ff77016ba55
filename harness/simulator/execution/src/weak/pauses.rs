//! Pauses of warps and blocks, so that others get ahead of them: what is wrong only where somebody is late then shows.

use program::{Operation, Program};

use super::WeakMemory;
use super::state::{Block, warp_of};
use super::view::Writer;

/// A pause takes at most two to the power of this rounds.
const LONGEST_PAUSE: usize = 4;

/// One of how many accesses or fences is the last of a warp's turn.
const PREEMPTED: usize = 4;

/// Rounds of the shortest long pause. Others are up to 16 times as long, those at the beginning of a launch 32 times.
const LONG_PAUSE: u32 = 16;

/// After what a warp's turn may end.
#[derive(Clone, Copy)]
pub(crate) enum After {
    Fence,
    /// An atomic, or another strong access.
    Strong,
    Plain,
}

impl After {
    pub(crate) fn of(program: &Program, operation: Operation) -> After {
        match operation {
            Operation::Fence { .. } => After::Fence,
            Operation::Atomic(_) => After::Strong,
            Operation::Load(k) | Operation::Store(k) if program.accesses[k as usize].strong => {
                After::Strong
            }
            _ => After::Plain,
        }
    }
}

impl WeakMemory {
    /// Whether a block that could go on does not, so that others get ahead of it.
    pub(crate) fn stops(&mut self, block: u64) -> bool {
        let own = self.block(block);
        let drawn = own.draw_pause();
        rests(&mut own.pause, drawn)
    }

    /// Whether a warp with this many rounds of pause left has no turn, though its block has. One of eight turns begins a
    /// pause where it `may`.
    pub(crate) fn passes_over(&mut self, block: u64, left: &mut u32, may: bool) -> bool {
        let own = self.block(block);
        let drawn = if *left == 0 && may && own.draw(8) == 0 { own.draw_pause() } else { 0 };
        rests(left, drawn)
    }

    /// The rounds for which a warp pauses after an access or a fence, where its turn then ends; `None` if the turn goes on.
    /// The first case that applies decides:
    /// - Warps begin staggered: one of four accesses and fences ends the turn, without a pause.
    /// - The first access or fence of the launch, for every second seed: 512 rounds. The warp with the first ticket is then
    ///   the last to go on.
    /// - The first fence of the launch, for every second seed: 512 rounds. The warp that is first to pass a fence is then the
    ///   last to go on, and has passed it before all others' fences.
    /// - One of eight fences: 16 to 256 rounds. The last warp may then know nothing of those that came after the fence.
    /// - One of four strong accesses, in half of the blocks, unless the warp's access before was by the same instruction, as
    ///   where it waits for a flag: 16 to 256 rounds. Other blocks may then come to the same place once more.
    /// - One of four accesses and fences: the turn ends, without a pause.
    pub(crate) fn preempts(&mut self, (block, warp): Writer, at: u32, after: After) -> Option<u32> {
        let staggered = self.staggered;
        let own = self.block(block);
        if staggered {
            return (own.draw(PREEMPTED) == 0).then_some(0);
        }
        let is_again = warp_of(&mut own.warps, warp).looked_at.replace(at) == Some(at);
        let is_long = match after {
            After::Fence => own.draw(8) == 0,
            After::Strong => own.is_slow && !is_again && own.draw(4) == 0,
            After::Plain => false,
        };
        let (long, ends) = (LONG_PAUSE << own.draw(5), own.draw(PREEMPTED) == 0);
        let is_fence = matches!(after, After::Fence);
        if std::mem::take(&mut self.overtakes)
            || is_fence && std::mem::take(&mut self.overtakes_fence)
        {
            return Some(LONG_PAUSE << 5);
        }
        if is_long { Some(long) } else { ends.then_some(0) }
    }
}

impl Block {
    /// Rounds of a pause: 0 in half of the cases, else 1, 2, 4, 8 or 16, where the longer ones are rarer.
    fn draw_pause(&mut self) -> u32 {
        let longest = 1 << (LONGEST_PAUSE + 1);
        let halvings = (self.draw(longest) | longest).trailing_zeros();
        if halvings == 0 { 0 } else { 1 << (halvings - 1) }
    }
}

/// Whether a block or a warp pauses in this round:
/// - `left` is above 0: it does, and `left` falls by 1.
/// - `left` is 0, and `drawn` is above 0: a pause of `drawn` rounds begins with this one.
/// - Both are 0: it does not.
fn rests(left: &mut u32, drawn: u32) -> bool {
    let rests = if *left > 0 { *left } else { drawn };
    *left = rests.saturating_sub(1);
    rests > 0
}
