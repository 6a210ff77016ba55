//! Lanes that part and meet: a stack of meeting places for each fiber, and fibers that go their own ways.
//!
//! Lanes of a warp run together as long as they can. Where a branch parts them, one side waits on the stack until
//! both reach the branch's immediate post-dominator. Since CC 7.0 a GPU guarantees progress to every thread, so where
//! waiting could last for ever (at a barrier, in a loop that waits for another thread) the waiting lanes become a fiber
//! of their own; fibers that come to the same place merge again.

use program::{NOWHERE, RETURN};

/// Lanes, where they are, and where they stop to wait for the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    pub block: u32,
    pub meet: u32,
    pub mask: u32,
}

/// What a fiber is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Ready,
    /// At the barrier instruction with this place in the code.
    Barrier(u32),
    /// At the wait for its cluster with this place in the code.
    Cluster(u32),
    /// At a wait for the products of its warpgroup but for so many groups.
    Products(u32),
    /// At the exchange that begins its block, for the other lanes of this mask.
    Exchange(u32),
}

/// Lanes that are scheduled together.
#[derive(Debug)]
pub struct Fiber {
    pub stack: Vec<Frame>,
    pub state: State,
    /// Accesses that may wait for another thread, since the fiber last gave way, by their weight.
    waits: u32,
    /// Backward branches since then.
    backward: u32,
    /// Instructions of its block that it executed before it was interrupted there.
    pub executed: u32,
    /// The lanes that its exchange waited for have come.
    pub granted: bool,
    /// It may have changed memory since this was last asked.
    pub changed: bool,
    /// It gave way, or may have waited for another thread, since its block last changed anything.
    pub waited: bool,
    /// Turns in a row that it gave up without having changed anything.
    idle_turns: u32,
    /// The access for which it may be waiting.
    pub waits_at: Option<u32>,
}

/// The weight of accesses that may wait for another thread (atomics, volatile loads) before a fiber gives others a turn.
const PATIENCE_WAITS: u32 = 256;
/// The weight of an access that only looks, and in the first turns after one that was given up for nothing: who
/// waits looks again, and leaves the turn to others.
const FRUITLESS: u32 = 8;
const FRUITLESS_AGAIN: u32 = 64;
/// Turns after which it is taken to do more than to wait.
const MOST_SHORT_TURNS: u32 = 32;
/// Backward branches before it does so without any.
const PATIENCE_BACKWARD: u32 = 1 << 22;
/// Backward branches before it is asked whether the launch is past its deadline.
const BETWEEN_LOOKS: u32 = 64;

impl Fiber {
    #[inline]
    pub(super) fn new(block: u32, mask: u32) -> Fiber {
        Fiber::of(vec![Frame { block, meet: NOWHERE, mask }])
    }

    fn of(stack: Vec<Frame>) -> Fiber {
        Fiber {
            stack,
            state: State::Ready,
            waits: 0,
            backward: 0,
            executed: 0,
            granted: false,
            changed: false,
            waited: false,
            idle_turns: 0,
            waits_at: None,
        }
    }

    /// Drops frames that are empty or have come to their meeting place; the running one remains on top.
    #[inline(always)]
    pub(super) fn settle(&mut self) -> Option<Frame> {
        loop {
            let frame = *self.stack.last()?;
            if frame.mask != 0 && frame.block != frame.meet {
                return Some(frame);
            }
            self.stack.pop();
        }
    }

    /// The running frame goes on at another block.
    #[inline(always)]
    pub(super) fn go(&mut self, block: u32) {
        if let Some(frame) = self.stack.last_mut() {
            frame.block = block;
        }
    }

    /// The running frame's lanes part: those of `taken` go to `target`, the others to `next`.
    #[inline]
    pub(super) fn part(&mut self, taken: u32, target: u32, next: u32, meet: u32) {
        let Some(frame) = self.stack.pop() else { return };
        // Lanes of a function that meet nowhere in it meet where they return to.
        let meet = if meet == NOWHERE && frame.meet == RETURN { RETURN } else { meet };
        // The frame waits at the meeting place, unless that is where it will be waited for anyway.
        if meet != frame.meet {
            self.stack.push(Frame { block: meet, ..frame });
        }
        // A side that already is at the meeting place is in the frame that waits there.
        let sides = [(next, frame.mask & !taken), (target, taken)];
        let away = sides.into_iter().filter(|&(block, _)| block != meet);
        self.stack.extend(away.map(|(block, mask)| Frame { block, meet, mask }));
    }

    /// Leaves only the lanes of `mask` running; the others go on at the next block when they are split off.
    #[inline]
    pub(super) fn set_aside(&mut self, mask: u32) {
        let Some(frame) = self.stack.last_mut() else { return };
        let (block, meet) = (frame.block, frame.meet);
        frame.block += 1;
        self.stack.push(Frame { block, meet, mask });
    }

    /// The running frame's lanes go on at `back` when they return from the functions that they call at these blocks.
    #[inline]
    pub(super) fn call(&mut self, back: u32, callees: &[(u32, u32)]) {
        self.go(back);
        let frames = callees.iter().map(|&(block, mask)| Frame { block, meet: RETURN, mask });
        self.stack.extend(frames);
    }

    /// Lanes return. Their caller waits below, where they go on, unless they were split off from it in between: then
    /// each group is a fiber that goes on by itself.
    pub(super) fn returns(&mut self, lanes: u32, callers: &[(u32, u32)]) -> Vec<Fiber> {
        for frame in self.stack.iter_mut().rev() {
            frame.mask &= !lanes;
            if frame.meet == RETURN {
                return Vec::new();
            }
        }
        callers.iter().map(|&(block, mask)| Fiber::new(block, mask)).collect()
    }

    /// Lanes that ended.
    #[inline]
    pub(super) fn end(&mut self, lanes: u32) {
        for frame in &mut self.stack {
            frame.mask &= !lanes;
        }
    }

    /// The lanes that wait for the running ones.
    #[inline]
    pub(super) fn waiting(&self) -> u32 {
        self.waiting_at().fold(0, |mask, (lanes, _)| mask | lanes)
    }

    /// The lanes that wait for the running ones, and the blocks where they will go on.
    #[inline]
    pub(super) fn waiting_at(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (top, waiting) = self.stack.split_last().map_or((0, &[][..]), |(t, w)| (t.mask, w));
        let mut above = top;
        waiting.iter().rev().filter_map(move |frame| {
            let lanes = frame.mask & !above;
            above |= frame.mask;
            (lanes != 0).then_some((lanes, frame.block))
        })
    }

    /// Makes the lanes that wait for the running ones a fiber of their own.
    pub(super) fn split(&mut self) -> Option<Fiber> {
        if self.waiting() == 0 {
            return None;
        }
        let top = self.stack.pop()?;
        let mut rest = std::mem::replace(&mut self.stack, vec![Frame { meet: NOWHERE, ..top }]);
        for frame in &mut rest {
            frame.mask &= !top.mask;
        }
        Some(Fiber::of(rest))
    }

    /// Forgets meeting places that only its own lanes would come to, so that it can merge with others.
    #[inline]
    pub(super) fn flatten(&mut self) {
        if let Some(top) = self.stack.last() {
            self.stack = vec![Frame { meet: NOWHERE, ..*top }];
        }
    }

    /// Whether it is time to ask whether the launch is past its deadline.
    #[inline(always)]
    pub(super) fn may_be_late(&self) -> bool {
        self.backward % BETWEEN_LOOKS == BETWEEN_LOOKS - 1
    }

    /// Counts an access that may wait for another thread. `is_work`: it changed something, or nobody writes what it reads.
    #[inline(always)]
    pub(super) fn waits(&mut self, at: u32, is_work: bool) {
        self.waited = true;
        self.waits_at = Some(at);
        self.waits += match self.idle_turns {
            _ if is_work => 1,
            1..=MOST_SHORT_TURNS => FRUITLESS_AGAIN,
            _ => FRUITLESS,
        };
    }

    /// Whether it does nothing but to wait, as far as can be seen.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.idle_turns > 0
    }

    /// Counts a backward branch. If it is time to give way: how much of the block's patience was spent.
    #[inline(always)]
    pub(super) fn impatience(&mut self) -> Option<u32> {
        self.backward += 1;
        let spent = match (self.waits >= PATIENCE_WAITS, self.backward >= PATIENCE_BACKWARD) {
            (true, _) => 1,
            // So many branches take far longer than so many waits.
            (_, true) => 256,
            _ => return None,
        };
        self.waited = true;
        self.idle_turns = if self.changed { 0 } else { self.idle_turns.saturating_add(1) };
        self.waits = 0;
        self.backward = 0;
        Some(spent)
    }

    /// The lanes that run.
    #[inline]
    pub(super) fn running(&self) -> u32 {
        self.stack.last().map_or(0, |frame| frame.mask)
    }

    /// All of its lanes.
    #[inline]
    pub(super) fn mask(&self) -> u32 {
        self.stack.iter().fold(0, |mask, frame| mask | frame.mask)
    }
}

/// Merges fibers that are at the same place with nothing on their stacks; lanes are told in order of the fibers.
pub(super) fn merge(fibers: &mut Vec<Fiber>) {
    let mut k = 0;
    while k < fibers.len() {
        let mut other = k + 1;
        while other < fibers.len() {
            let same = match (fibers[k].stack.as_slice(), fibers[other].stack.as_slice()) {
                ([a], [b]) => a.block == b.block && a.meet == b.meet,
                _ => false,
            };
            let mergeable = |state| matches!(state, State::Ready | State::Exchange(_));
            let same = same && fibers[k].executed == fibers[other].executed;
            if same && fibers[k].state == fibers[other].state && mergeable(fibers[k].state) {
                let gone = fibers.remove(other);
                fibers[k].stack[0].mask |= gone.mask();
                fibers[k].changed |= gone.changed;
            } else {
                other += 1;
            }
        }
        k += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_run_one_after_the_other_and_meet() {
        let mut fiber = Fiber::new(0, 0b1111);
        fiber.part(0b0011, 5, 1, 9);
        assert_eq!(fiber.settle().unwrap(), Frame { block: 5, meet: 9, mask: 0b0011 });
        fiber.go(9);
        assert_eq!(fiber.settle().unwrap(), Frame { block: 1, meet: 9, mask: 0b1100 });
        fiber.go(9);
        assert_eq!(fiber.settle().unwrap(), Frame { block: 9, meet: NOWHERE, mask: 0b1111 });
    }

    #[test]
    fn a_loop_does_not_grow_the_stack() {
        let mut fiber = Fiber::new(1, u32::MAX);
        for left in (1..31).rev() {
            let staying = (1 << left) - 1;
            fiber.part(staying, 1, 2, 2);
            fiber.settle();
            assert!(fiber.stack.len() <= 3, "{}", fiber.stack.len());
        }
    }

    #[test]
    fn waiting_lanes_can_go_their_own_way() {
        let mut fiber = Fiber::new(0, 0b1111);
        fiber.part(0b0001, 0, 1, 1);
        fiber.settle();
        let other = fiber.split().unwrap();
        assert_eq!((fiber.mask(), other.mask()), (0b0001, 0b1110));
        assert!(fiber.split().is_none());
        let mut all = vec![Fiber::new(3, 1), Fiber::new(4, 2), Fiber::new(3, 4)];
        merge(&mut all);
        assert_eq!(all.iter().map(Fiber::mask).collect::<Vec<_>>(), [0b101, 0b010]);
    }
}
