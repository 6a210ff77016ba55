//! Records that a simulator keeps for its next launch, because clearing them is cheaper than new memory from the system.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::block::{BlockHazards, Shape};
use super::facts::Facts;
use super::page::SparePages;

/// Most bytes of blocks' records that are kept.
const MOST_BYTES: usize = 256 << 20;

/// Unused records of global memory and of blocks.
#[derive(Default)]
pub struct Spare {
    pub(super) pages: SparePages,
    blocks: Mutex<Blocks>,
}

/// Of ended blocks, the last one at the back.
#[derive(Default)]
struct Blocks {
    all: VecDeque<(Arc<Facts>, Box<BlockHazards>)>,
    bytes: usize,
}

impl Spare {
    /// Records of a block of this shape and of a kernel with these facts; what is in them happened before.
    pub(super) fn block(&self, facts: &Arc<Facts>, shape: Shape) -> Option<Box<BlockHazards>> {
        let mut blocks = self.blocks();
        let fits = |(of, block): &(Arc<Facts>, Box<BlockHazards>)| {
            Arc::ptr_eq(of, facts) && block.shape == shape
        };
        let at = blocks.all.iter().rposition(fits)?;
        let (_, block) = blocks.all.remove(at)?;
        blocks.bytes -= block.bytes();
        Some(block)
    }

    /// Keeps the records of an ended block, in the place of the oldest ones where there are too many.
    pub(super) fn keep(&self, facts: &Arc<Facts>, block: Box<BlockHazards>) {
        let mut blocks = self.blocks();
        blocks.bytes += block.bytes();
        blocks.all.push_back((Arc::clone(facts), block));
        while blocks.bytes > MOST_BYTES
            && let Some((_, oldest)) = blocks.all.pop_front()
        {
            blocks.bytes -= oldest.bytes();
        }
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
