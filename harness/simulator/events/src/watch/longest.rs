//! The number of instructions that the longest warp of a launch issues. It bounds the duration of the launch, however
//! short the other warps are.

use program::Kernel;

/// The count on one multiprocessor.
pub struct Longest {
    /// Instructions of each basic block.
    sizes: Vec<u64>,
    most: u64,
}

/// Instructions that each warp of a block has issued.
#[derive(Default)]
pub struct WarpLengths(Vec<u64>);

impl Longest {
    /// Of a multiprocessor whose warps have issued nothing.
    pub fn new(kernel: &Kernel) -> Longest {
        let sizes = kernel.blocks().iter().map(|block| block.instructions.len() as u64);
        Longest { sizes: sizes.collect(), most: 0 }
    }

    /// Lanes of a warp enter a basic block.
    pub fn enters(&self, own: &mut WarpLengths, block: u32, warp: u32) {
        let warp = warp as usize;
        if own.0.len() <= warp {
            own.0.resize(warp + 1, 0);
        }
        own.0[warp] += self.sizes[block as usize];
    }

    /// A block has finished.
    pub fn end(&mut self, own: &WarpLengths) {
        self.most = own.0.iter().copied().fold(self.most, u64::max);
    }

    /// Instructions of the longest warp.
    pub fn instructions(&self) -> u64 {
        self.most
    }
}
