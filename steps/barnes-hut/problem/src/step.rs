//! What a step says of itself, as plain data: its arrays, its launches in their order, how its tree is read.

use device::Shape;
use ladder::Launch;

use crate::array::{Array, Sizes};
use crate::defect::Defect;
use crate::downloaded::Downloaded;
use crate::tree::Tree;
use crate::values::ErrorLimit;
use crate::walk::Walk;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Why `run` skips steps that divide their work.
pub const ELSEWHERE: &str = "needs several GPUs; use `cargo run -p harness -- scale barnes-hut`";

/// What the host does for a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Its arrays on the device.
    pub arrays: &'static [Array],
    /// What a time step launches, in this order.
    pub calls: &'static [Call],
    /// Reads the tree that a time step left; the error says what is wrong with it.
    pub tree: fn(&Downloaded) -> Result<Tree, Defect>,
    /// How forces may walk it, as the host does it again: several where a parameter of the kernel decides.
    pub walks: &'static [Walk],
    /// Whether its launches are recorded in a graph, which one call starts.
    pub in_graph: bool,
    /// What GPUs exchange that divide the work; none of a step that is for one.
    pub exchange: Option<Exchange>,
    /// Arrays in which a time step leaves what it began with, in the order of its results, each with the array in which the
    /// next one begins: a time step can be repeated from there, without the host.
    pub began_with: &'static [(&'static str, &'static str)],
    /// What is verified of some kernels alone.
    pub alone: &'static [Alone],
}

/// What several GPUs exchange.
#[derive(Debug, Clone, Copy)]
pub enum Exchange {
    /// An array of as many equal parts as there are GPUs, [`Role::Exchanged`](crate::array::Role::Exchanged): each GPU
    /// computes a part, and this kernel needs all of it.
    Array {
        /// The kernel.
        before: &'static str,
    },
    /// Parts of trees: each GPU has bodies of its own and a tree of these.
    Trees,
}

/// What is in a word of an array, by its place.
pub type Word = fn(usize) -> u32;

/// Some kernels of a step, as plain data.
#[derive(Debug, Clone, Copy)]
pub struct Alone {
    /// What is verified, in words.
    pub what: &'static str,
    /// Their names; all launches of these.
    pub kernels: &'static [&'static str],
    /// Bodies.
    pub n: u64,
    /// Multiprocessors that launches are planned for.
    pub multiprocessors: u32,
    /// Whether hazards are searched, and blocks that communicate run on weak memory: where bodies are few.
    pub hazards: bool,
    /// Arrays that earlier kernels would have written, and what is in a word of them, by its place.
    pub before: &'static [(&'static str, Word)],
    /// Holds what they left against what is expected; the error says what is wrong.
    pub check: fn(&Downloaded) -> Result<(), Defect>,
}

/// One launch of a time step.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks of the grid.
    pub blocks: Blocks,
    /// Threads of a block.
    pub threads: u32,
    /// Whether blocks wait for each other: then all must be resident.
    pub together: bool,
    /// The arguments.
    pub given: &'static [Given],
}

/// How many blocks a grid has.
#[derive(Debug, Clone, Copy)]
pub enum Blocks {
    /// So many.
    Fixed(u32),
    /// So many for each multiprocessor.
    PerMultiprocessor(u32),
    /// So many that each body has a thread.
    OfBodies,
    /// By a formula, where it is another.
    Of(fn(&Sizes) -> u64),
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub enum Given {
    /// A pointer to the array of that name.
    Array(&'static str),
    /// The number of bodies: `int`.
    Bodies,
    /// The number of nodes that there is room for: `int`.
    Nodes,
    /// The number of the GPU among those that divide the work: `int`.
    Gpu,
    /// How many these are: `int`.
    Gpus,
    /// 1/θ²: `float`.
    Opening,
    /// The square of the softening length: `float`.
    Softening,
    /// The length of a time step: `float`.
    TimeStep,
    /// A number: `int`.
    Int(i32),
    /// A number that follows the sizes: `int`.
    Count(fn(&Sizes) -> u64),
    /// A number: `float`.
    Float(f32),
    /// A limit of errors, which follows θ: `float`.
    Limit(ErrorLimit),
}

/// Arguments of a kernel: some, then arrays by their names, then others.
macro_rules! given {
    ($($first:expr),*; $($array:literal)* $(; $last:expr)?) => {
        &[$($first,)* $($crate::step::Given::Array($array),)* $($last)?]
    };
}
pub(crate) use given;

impl Call {
    /// A launch whose blocks may come one after the other.
    pub const fn new(
        kernel: &'static str,
        blocks: Blocks,
        threads: u32,
        given: &'static [Given],
    ) -> Call {
        Call { kernel, blocks, threads, together: false, given }
    }

    /// The same with all blocks resident, so that they may wait for each other.
    #[must_use]
    pub const fn together(self) -> Call {
        Call { together: true, ..self }
    }

    /// The launch.
    pub fn launch(&self, sizes: &Sizes) -> Launch {
        let blocks = match self.blocks {
            Blocks::Fixed(count) => count.into(),
            Blocks::PerMultiprocessor(count) => u64::from(count) * sizes.multiprocessors,
            Blocks::OfBodies => sizes.n.div_ceil(self.threads.into()),
            Blocks::Of(count) => count(sizes),
        };
        let blocks = u32::try_from(blocks.max(1)).unwrap_or(u32::MAX);
        Launch { kernel: self.kernel, shape: Shape::row(blocks, self.threads) }
    }

    fn shape_in_words(&self) -> String {
        let threads = self.threads;
        match self.blocks {
            Blocks::Fixed(1) => format!("one block of {threads}"),
            Blocks::Fixed(count) => format!("{count} blocks of {threads}"),
            Blocks::PerMultiprocessor(1) => format!("{threads} threads per multiprocessor"),
            Blocks::PerMultiprocessor(count) => format!("{count} × {threads} per multiprocessor"),
            Blocks::OfBodies => format!("a thread for each body, in blocks of {threads}"),
            Blocks::Of(_) => format!("blocks of {threads}"),
        }
    }
}

impl Host {
    /// Whether bodies are sorted by keys, and leaves have several of them.
    pub(crate) fn has_leaves(&self) -> bool {
        self.arrays.iter().any(|array| array.name == "key")
    }

    /// Whether groups of bodies are smaller where a GPU has few of them.
    pub(crate) fn has_smaller_groups(&self) -> bool {
        let [few, many] = [1, 1 << 20].map(|n| Sizes::new(n, 1));
        self.walks.iter().any(|walk| match walk {
            Walk::OfGroups(largest, _) | Walk::WithSecondMoments(largest, ..) => {
                largest(&few) < largest(&many)
            }
            _ => false,
        })
    }

    /// Bytes of all arrays.
    pub fn bytes(&self, sizes: &Sizes) -> u64 {
        self.arrays.iter().map(|array| 4 * (array.words)(sizes)).sum()
    }

    /// Its launches in words, one a kernel: name and value.
    pub fn in_words(&self) -> Vec<(&'static str, String)> {
        let mut all: Vec<(&'static str, String)> = Vec::new();
        if self.in_graph {
            all.push(("launches", "recorded in a graph, which one call starts".to_owned()));
        }
        for call in self.calls {
            if all.iter().all(|(kernel, _)| *kernel != call.kernel) {
                all.push((call.kernel, call.shape_in_words()));
            }
        }
        all
    }
}
