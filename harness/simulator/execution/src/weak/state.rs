//! What is kept of blocks and warps, and how they learn of each other's writes.

use std::collections::HashMap;
use std::rc::Rc;

use program::{Order, Scope};

use super::dependent::Source;
use super::view::{Mark, View, Writer, join};
use crate::random::{STEP, mix};

/// A write, or what was there before the first.
pub(super) struct Write {
    pub mark: Mark,
    /// What it left in the unit.
    pub value: u64,
    /// It keeps something of what was there before: no other write comes between.
    pub follows: bool,
    /// What it releases to threads of its block, and to those of others.
    pub released: [Rc<View>; 2],
}

/// What a warp knows. Pairs are for its own block and for others.
#[derive(Default, Clone)]
pub(super) struct Warp {
    /// Nothing older may be read.
    pub known: Rc<View>,
    /// What the next strong write releases.
    pub performed: [Rc<View>; 2],
    /// What was observed since the last fence, from writes of the block and of others.
    pub pending: [Rc<View>; 2],
    /// The same by read, of those whose pointers are followed.
    pub followed: Vec<(Source, Rc<View>)>,
    /// The instruction of its last access.
    pub looked_at: Option<u32>,
    /// The write of which it learned last, with what read it, if nothing was forgotten since.
    pub learned: Option<(u64, Source, bool)>,
}

/// What is kept of a block.
#[derive(Default)]
pub(super) struct Block {
    /// State of its random numbers: they do not depend on what other blocks do.
    pub random: u64,
    pub warps: Vec<Warp>,
    /// What its fences of sequential consistency have passed on to each other.
    pub fenced: View,
    /// By barrier what warps knew that arrived there and did not wait.
    pub arrived: HashMap<usize, Warp>,
    /// Units of its shared memory.
    pub units: Vec<u64>,
    /// Rounds for which it still stops.
    pub pause: u32,
    /// Whether its warps make long pauses after strong accesses.
    pub is_slow: bool,
}

/// Who accesses memory, and how strongly.
#[derive(Clone, Copy)]
pub(crate) struct Actor {
    pub block: u64,
    pub warp: u32,
    pub order: Order,
    /// The scope of a strong access.
    pub scope: Option<Scope>,
    /// The number of a read among sources.
    pub source: Source,
}

impl Actor {
    pub(super) fn writer(&self) -> Writer {
        (self.block, self.warp)
    }

    /// Whether it is strong for the threads of its own block, and for those of others.
    pub(super) fn reaches(&self) -> [bool; 2] {
        [self.scope.is_some(), self.scope.is_some_and(Scope::spans_blocks)]
    }
}

impl Block {
    /// Of a block that begins.
    pub(super) fn new(random: u64) -> Block {
        let mut block = Block { random, ..Block::default() };
        block.is_slow = block.draw(2) == 0;
        block
    }

    pub(super) fn draw(&mut self, count: usize) -> usize {
        self.random = self.random.wrapping_add(STEP);
        (mix(self.random) % count as u64) as usize
    }
}

impl Warp {
    /// What it knows and wrote is known to those who acquire what it writes next: to those of its block, and of others if
    /// the scope includes them.
    pub(super) fn perform(&mut self, own: Writer, time: u64, spans: bool) {
        let known = Rc::make_mut(&mut self.known);
        known.add_warp(own, time);
        known.shorten();
        self.performed[..=usize::from(spans)].fill(Rc::clone(&self.known));
    }

    /// It has read what a write left; pointers that it reads there may be followed.
    pub(super) fn learn(&mut self, write: &Write, by: Actor, is_followed: bool) {
        let Some((released, of)) = seen(write, by).filter(|(view, _)| !view.is_empty()) else {
            return;
        };
        // Who waits looks at the same write again and again.
        let learned = Some((write.mark.time, by.source, by.order.acquire));
        if std::mem::replace(&mut self.learned, learned) == learned {
            return;
        }
        if is_followed && !by.order.acquire {
            match self.followed.iter_mut().find(|(source, _)| *source == by.source) {
                Some((_, view)) => join(view, released),
                None => self.followed.push((by.source, Rc::clone(released))),
            }
        }
        join(if by.order.acquire { &mut self.known } else { &mut self.pending[of] }, released);
    }

    /// Adds what another one knows, and all that it wrote.
    pub(super) fn join(&mut self, other: &Warp, writer: Writer, time: u64) {
        join(&mut self.known, &other.known);
        Rc::make_mut(&mut self.known).add_warp(writer, time);
        for (own, other) in self.performed.iter_mut().zip(&other.performed) {
            join(own, other);
        }
        for (own, other) in self.pending.iter_mut().zip(&other.pending) {
            join(own, other);
        }
    }
}

/// What a write has released to a reader, and whether that is of another block. Nothing, if the scope of one does not include
/// the other (PTX ISA, "Morally Strong Operations").
fn seen(write: &Write, by: Actor) -> Option<(&Rc<View>, usize)> {
    let of = usize::from(write.mark.writer.0 != by.block);
    by.reaches()[of].then_some((&write.released[of], of))
}

pub(super) fn warp_of(warps: &mut Vec<Warp>, warp: u32) -> &mut Warp {
    if warps.len() <= warp as usize {
        warps.resize(warp as usize + 1, Warp::default());
    }
    &mut warps[warp as usize]
}
