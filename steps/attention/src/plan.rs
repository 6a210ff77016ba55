//! Launches of a step.

use device::texture::TensorElement;
use device::{Boxes, Shape};
use ladder::Launch;
use ladder::arrays::{Attention, Call, Extent, KernelArgument};

/// BF16.
const BRAIN: TensorElement =
    TensorElement { bytes: 2, is_float: true, is_brain: true, is_signed: false };

/// Tiles that the copy engine fills: keys of one, and how many of K and of V. `KEYS` and `STAGES` in the kernels.
const KEYS: u32 = 128;
/// As above.
const STAGES: u32 = 2;

/// Queries and threads of a group of four warps, which multiplies.
const QUERIES: u32 = 64;
/// As above.
pub const THREADS: u32 = 128;

/// Columns of a box, whose rows of 128 bytes are permuted.
const BOX_COLUMNS: u32 = 64;
/// As above.
const SWIZZLE: u8 = 128;

/// How the host launches a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Scores, their softmax and weighted sums, one after the other. The scores are in memory.
    ThreeKernels,
    /// cuDNN, which the steps are compared with.
    Cudnn,
    /// One kernel.
    Fused {
        /// Of a block.
        queries: u32,
        /// Of a block.
        threads: u32,
        /// Rows of Q, K or V for which a block has dynamic shared memory.
        shared_rows: u32,
    },
    /// One kernel, for which the copy engine fills tiles.
    Mapped {
        /// Groups of warps that multiply. One more has the tiles filled.
        groups: u32,
        /// Whether as many blocks run as there are multiprocessors, each for several tiles of queries; else there is a block for each.
        persistent: bool,
    },
}

impl Plan {
    /// The launches for so many queries, heads, and elements of a row.
    pub fn calls(self, extent: Extent, multiprocessors: u32) -> Vec<Call> {
        let [n, heads, size] = extent.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let [causal, scale] = ["causal", "scale"].map(KernelArgument::Scalar);
        let [q, k, v, o, scores] = ["q", "k", "v", "o", "scores"].map(KernelArgument::Array);
        let launch = |kernel, shape, given| Call::Launch(Launch { kernel, shape }, given);
        let kernel = if size == 64 { "attention_64" } else { "attention_128" };
        match self {
            Plan::ThreeKernels => {
                let by = |columns: u32| {
                    Shape::new([columns.div_ceil(32), n.div_ceil(8), heads], [32, 8, 1])
                };
                let rows = Shape::new([n.div_ceil(8), heads, 1], [32, 8, 1]);
                let (of_keys, of_pairs) = (by(n), by(size / 2));
                let [n, size] = [n, size].map(KernelArgument::from);
                vec![
                    launch("scores", of_keys, vec![n, size, causal, scale, q, k, scores]),
                    launch("weights", rows, vec![n, scores]),
                    launch("attention", of_pairs, vec![n, size, scores, v, o]),
                ]
            }
            Plan::Cudnn => {
                let matrices = ["q", "k", "v", "o"];
                vec![Call::Cudnn(Attention { extent, causal: "causal", scale: "factor", matrices })]
            }
            Plan::Fused { queries, threads, shared_rows } => {
                let shape = Shape::new([n.div_ceil(queries), heads, 1], [threads, 1, 1]);
                let shape = Shape { shared_bytes: 2 * size * shared_rows, ..shape };
                vec![launch(kernel, shape, vec![n.into(), causal, scale, q, k, v, o])]
            }
            Plan::Mapped { groups, persistent } => {
                let queries = groups * QUERIES;
                let tiles = n.div_ceil(queries) * heads;
                let blocks = if persistent { tiles.min(multiprocessors) } else { tiles };
                let shape = Shape::new([blocks, 1, 1], [(groups + 1) * THREADS, 1, 1]);
                let shared_bytes = 2 * size * (queries + 2 * STAGES * KEYS);
                let map = |name, rows| {
                    let (size, of) = ([size, heads * n], [BOX_COLUMNS, rows]);
                    let boxes = Boxes { element: BRAIN, size, of, swizzle: SWIZZLE };
                    KernelArgument::TensorMap(name, boxes)
                };
                let [q, k, v] = [map("q", queries), map("k", KEYS), map("v", KEYS)];
                let given = vec![n.into(), heads.into(), causal, scale, q, k, v, o];
                vec![launch(kernel, Shape { shared_bytes, ..shape }, given)]
            }
        }
    }

    /// Whether a block has so many queries that it multiplies tiles of them by tensor cores.
    pub fn has_tiles_of_queries(self) -> bool {
        match self {
            Plan::ThreeKernels | Plan::Cudnn => false,
            Plan::Fused { queries, .. } => queries > 32,
            Plan::Mapped { .. } => true,
        }
    }

    /// What the host does, for the page of a step.
    pub fn facts(self) -> Vec<(&'static str, String)> {
        let queries = match self {
            Plan::ThreeKernels => return vec![("scores", "in memory, 4 bytes each".to_owned())],
            Plan::Cudnn => return Vec::new(),
            Plan::Fused { queries, .. } => queries,
            Plan::Mapped { groups, .. } => groups * QUERIES,
        };
        let mut facts = vec![("a block has", format!("{queries} queries"))];
        if matches!(self, Plan::Mapped { persistent: true, .. }) {
            facts.push(("blocks", "as many as multiprocessors, for several tiles each".to_owned()));
        }
        facts
    }
}
