//! Registers that a kernel asks for by `setmaxnreg`.

use program::{Kernel, Operation};

/// Registers of a multiprocessor.
const ALL: u64 = 1 << 16;

/// Most registers of a thread.
const MOST: u64 = 256;

/// What a kernel asks for.
#[derive(Debug, Default)]
pub(crate) struct Requests {
    /// For each basic block the last `setmaxnreg` in it, and its registers; empty in a kernel without any.
    pub(crate) blocks: Vec<Option<(u32, u32)>>,
    /// Registers with which a thread may begin, at most.
    pub(crate) first: u64,
}

impl Requests {
    /// Those of a kernel that says how many threads a block has at most: without that, `setmaxnreg` is ignored.
    pub(crate) fn new(kernel: &Kernel) -> Requests {
        let (program, threads) = (kernel.program(), kernel.most_threads().unwrap_or(0));
        let asked = |at: u32| match program.code[at as usize].operation {
            Operation::Registers(count) => Some((at, count)),
            _ => None,
        };
        let blocks = program.blocks.iter().map(|it| (it.first..it.end).rev().find_map(asked));
        let blocks: Vec<_> = blocks.collect();
        if threads == 0 || blocks.iter().all(Option::is_none) {
            return Requests::default();
        }
        // They come in eights.
        Requests { blocks, first: (ALL / threads.next_multiple_of(32) / 8 * 8).min(MOST) }
    }
}
