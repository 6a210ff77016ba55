//! Clusters: which blocks of a grid make one.

use std::collections::HashSet;

use crate::launch::Launch;
use program::{Kernel, Special};

/// How the blocks of a launch are grouped. Without clusters each block is one by itself (PTX ISA, "Clusters").
#[derive(Debug, Clone, Copy)]
pub struct Clusters {
    /// Blocks of a cluster in x, y, z.
    shape: [u32; 3],
    /// Clusters of the grid in x, y, z.
    counts: [u32; 3],
    /// The launch or the kernel names the shape.
    is_explicit: bool,
}

impl Clusters {
    /// Those of a launch that was checked.
    pub(crate) fn of(kernel: &Kernel, launch: &Launch) -> Clusters {
        let explicit = launch.cluster.or(kernel.required_cluster());
        let shape = explicit.unwrap_or([1; 3]);
        let counts = [0, 1, 2].map(|axis| launch.grid[axis].div_ceil(shape[axis].max(1)));
        Clusters { shape, counts, is_explicit: explicit.is_some() }
    }

    /// The clusters of some blocks of a grid, each once.
    pub(crate) fn with(&self, blocks: &[u64], grid: [u32; 3]) -> Vec<u64> {
        let [width, height, _] = grid.map(u64::from);
        let place = |index: u64| {
            [index % width, index / width % height, index / width / height].map(|n| n as u32)
        };
        let mut seen = HashSet::new();
        let all = blocks.iter().map(|&block| self.number(place(block)));
        all.filter(|cluster| seen.insert(*cluster)).collect()
    }

    /// Blocks of a cluster.
    #[inline]
    pub fn size(&self) -> u32 {
        self.shape.iter().product()
    }

    /// Clusters of the grid.
    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).product()
    }

    /// The blocks of a cluster in the order of their ranks. Clusters are numbered along x first, as blocks are.
    pub(crate) fn blocks(&self, cluster: u64) -> impl Iterator<Item = [u32; 3]> + use<> {
        let ([width, height, _], [x, y, z]) = (self.counts.map(u64::from), self.shape);
        let first = [cluster % width, cluster / width % height, cluster / width / height];
        let first = [0, 1, 2].map(|axis| first[axis] as u32 * [x, y, z][axis]);
        (0..x * y * z).map(move |rank| {
            let place = [rank % x, rank / x % y, rank / x / y];
            [0, 1, 2].map(|axis| first[axis] + place[axis])
        })
    }

    /// The number of a block's cluster.
    pub fn number(&self, block: [u32; 3]) -> u64 {
        let [x, y, z] = [0, 1, 2].map(|axis| u64::from(block[axis] / self.shape[axis]));
        let [width, height, _] = self.counts.map(u64::from);
        (z * height + y) * width + x
    }

    /// A block's place in its cluster.
    pub fn rank(&self, block: [u32; 3]) -> u32 {
        let [x, y, z] = self.place(block);
        (z * self.shape[1] + y) * self.shape[0] + x
    }

    fn place(&self, block: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| block[axis] % self.shape[axis])
    }

    /// What a special register of clusters holds for a block; 0 for another register.
    pub(crate) fn value(&self, special: Special, block: [u32; 3]) -> u32 {
        let at = |axis: u8| usize::from(axis);
        match special {
            Special::Cluster(axis) => block[at(axis)] / self.shape[at(axis)],
            Special::Clusters(axis) => self.counts[at(axis)],
            Special::BlockOfCluster(axis) => self.place(block)[at(axis)],
            Special::BlocksOfCluster(axis) => self.shape[at(axis)],
            Special::ClusterRank => self.rank(block),
            Special::ClusterSize => self.size(),
            Special::IsExplicitCluster => self.is_explicit.into(),
            _ => 0,
        }
    }
}
