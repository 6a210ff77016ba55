//! The shape of a launch.

use crate::error::Error;

/// Blocks of the grid and threads of a block, in x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Blocks of the grid.
    pub blocks: [u32; 3],
    /// Threads of a block.
    pub threads: [u32; 3],
    /// Dynamic shared memory of a block in bytes. More than 48 KiB needs no other call.
    pub shared_bytes: u32,
    /// Blocks of a cluster, neighbours in x; 1 without clusters. They need compute capability 9.0.
    pub cluster: u32,
}

impl Shape {
    /// A grid of one to three dimensions without dynamic shared memory: `Shape::new([8, 4], [32, 8])`.
    pub const fn new<const D: usize>(blocks: [u32; D], threads: [u32; D]) -> Shape {
        const { assert!(1 <= D && D <= 3, "a grid has one to three dimensions") }
        let (mut all_blocks, mut all_threads) = ([1; 3], [1; 3]);
        let mut axis = 0;
        while axis < D {
            all_blocks[axis] = blocks[axis];
            all_threads[axis] = threads[axis];
            axis += 1;
        }
        Shape { blocks: all_blocks, threads: all_threads, shared_bytes: 0, cluster: 1 }
    }

    /// A grid of one dimension.
    pub const fn row(blocks: u32, threads: u32) -> Shape {
        Shape::new([blocks], [threads])
    }

    /// The same with so much dynamic shared memory for each block.
    pub const fn with_shared(self, bytes: u32) -> Shape {
        Shape { shared_bytes: bytes, ..self }
    }

    /// The same with so many blocks in a cluster.
    pub const fn in_clusters(self, of: u32) -> Shape {
        Shape { cluster: of, ..self }
    }

    /// Checks the shape against what every GPU allows; narrower limits are the device's to state.
    pub(crate) fn check(&self, kernel: &str) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::BadShape { kernel: kernel.to_string(), message });
        if self.blocks.contains(&0) || self.threads.contains(&0) {
            return wrong(
                "a grid of nothing cannot be launched: blocks and threads count from 1".to_string(),
            );
        }
        let threads = self.threads.iter().fold(1, |all: u32, &more| all.saturating_mul(more));
        if threads > 1024 {
            return wrong(format!("{threads} threads in a block; a GPU takes at most 1024"));
        }
        if self.threads[2] > 64 {
            return wrong(format!(
                "{} threads of a block in z; a GPU takes at most 64",
                self.threads[2]
            ));
        }
        if self.cluster == 0 || !self.blocks[0].is_multiple_of(self.cluster) {
            return wrong(format!(
                "{} blocks in x are no whole clusters of {}",
                self.blocks[0], self.cluster
            ));
        }
        if let Some(blocks) = self.blocks[1..].iter().find(|&&blocks| blocks > 65_535) {
            return wrong(format!("{blocks} blocks in y or z; a GPU takes at most 65535"));
        }
        Ok(())
    }
}
