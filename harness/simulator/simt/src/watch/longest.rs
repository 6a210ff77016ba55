//! How many instructions the longest warp of a launch issues: a launch lasts as long as its longest warp, however short
//! the others are.

use crate::kernel::Kernel;

/// What is counted of one multiprocessor.
pub(super) struct Longest {
    /// Instructions of each basic block.
    sizes: Vec<u64>,
    most: u64,
}

/// Instructions that each warp of a block has issued.
#[derive(Default)]
pub(super) struct WarpLengths(Vec<u64>);

impl Longest {
    pub(super) fn new(kernel: &Kernel) -> Longest {
        let sizes = kernel.blocks().iter().map(|block| block.instructions.len() as u64);
        Longest { sizes: sizes.collect(), most: 0 }
    }

    /// Lanes of a warp begin a basic block.
    pub(super) fn enters(&self, own: &mut WarpLengths, block: u32, warp: u32) {
        let warp = warp as usize;
        if own.0.len() <= warp {
            own.0.resize(warp + 1, 0);
        }
        own.0[warp] += self.sizes[block as usize];
    }

    /// A block has ended.
    pub(super) fn end(&mut self, own: &WarpLengths) {
        self.most = own.0.iter().copied().fold(self.most, u64::max);
    }

    /// Those of the longest warp.
    pub(super) fn instructions(&self) -> u64 {
        self.most
    }
}
