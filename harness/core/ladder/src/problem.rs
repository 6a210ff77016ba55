//! What a problem is: its inputs, their reference, its judge, its figure of merit, its sizes.
//!
//! ```text
//! Problem::open    the options of a run
//!   └ case         inputs of one size, with what the reference says of them
//!      └ place     on a device, for one step: a Pass
//!         └ upload, run, download, check
//! ```
//!
//! A ladder of a new problem implements [`Problem`] and [`Pass`] and nothing else; see
//! [`crate::ladder`] for how the rest of the program sees it.

mod input;
mod pass;
mod shape;

use std::path::Path;
use std::sync::Arc;

use device::{Device, Error, Group, HostCode, Info, Module};
use report::{Figure, NamedSize, Request};
use vectors::{Counts, Vectors};

use crate::judge::Mismatch;
use crate::limits::Chip;
use crate::step::{BlockError, Launch, Step, Threads};

pub use input::{Input, Purpose, SEED, Size};
pub(crate) use input::{ROW, TURN};
pub use pass::{Checked, Copied, Failed, Pass, SharedPass, Work, named};
pub use shape::Shape;

/// A workload whose steps a ladder has, as it was opened with the options of a run.
pub trait Problem: Send + Sync + Sized + 'static {
    /// What the host's code needs to know of a step.
    type Host: Copy + Send + Sync;
    /// Inputs with what the reference says of them. They are the same for all steps.
    type Case: Send + Sync;

    /// Options that only this problem has.
    const OPTIONS: &'static [ProblemOption] = &[];
    /// How what a step executes grows with the size.
    const GROWTH: Growth = Growth::Work;
    /// Whether the blocks of one multiprocessor do what those of any other do, so that what a pass executes is counted
    /// by them. Not where blocks wait for what all others make in the same pass: then all are run, of sizes up to
    /// [`WHOLE`](crate::limits::WHOLE).
    const COUNTED_BY_FEW_BLOCKS: bool = true;

    /// Whether copies and the host's program are what takes the time of a pass. Then it is modelled by running the program
    /// at its own size, with few blocks of each launch for all.
    const IS_HOST_PROGRAM: bool = false;

    /// Whether a run on a GPU says how many blocks a multiprocessor holds, by its driver and as seen.
    const WATCHES_RESIDENCY: bool = false;

    /// The figure of merit, and the words that tables use for it.
    fn figure() -> Figure;

    /// Work of a pass of size `n`, in the unit that [`Figure::work`] names.
    fn work(&self, n: u64) -> f64;

    /// Lower bound of the time of a pass on a chip in seconds, for any code. A faster pass did not do the work.
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64;

    /// What the host does for a step, in words for its page and for `explain`: name and value.
    fn on_the_host(step: &Step<Self::Host>) -> Vec<(&'static str, String)> {
        let threads = match step.threads {
            Threads::One => "one".to_owned(),
            Threads::Blocks { block, .. } => format!("in blocks of {block}"),
            Threads::Cores => "as many as the CPU can run at once".to_owned(),
        };
        vec![("threads", threads)]
    }

    /// The size that is timed unless a run asks for another.
    fn default_size(&self, step: &Step<Self::Host>, info: &Info) -> u64;

    /// The size that the simulator runs and verifies where the time of `n` is modelled. It is smaller where `n`
    /// would take too long. The time then follows from counts
    /// ([`Counted::seconds`](crate::limits::Counted::seconds)).
    fn simulated_size(&self, step: &Step<Self::Host>, n: u64) -> u64 {
        let _ = step;
        n
    }

    /// What is run to count a pass of size `n` on a chip of so many multiprocessors. `communicates` tells that blocks of a
    /// kernel wait for others, or take what these leave, so that all must be run. The same goes for blocks that read what
    /// others read too, and find it in the L2 cache: only their problem knows that.
    fn sample(
        &self,
        step: &Step<Self::Host>,
        n: u64,
        multiprocessors: u32,
        communicates: bool,
    ) -> Sample {
        let bytes = |n| self.bytes(step, n);
        match communicates {
            false => Sample::few_blocks(n, bytes),
            true => Sample::all_blocks(n, multiprocessors, bytes),
        }
    }

    /// The largest size that the kernels can compute.
    fn most(&self) -> u64;

    /// The size that the options imply: that of a file of inputs.
    fn implied_size(&self) -> Option<u64> {
        None
    }

    /// The sizes by name that stand for size `n`, of a problem that has several.
    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let _ = n;
        Vec::new()
    }

    /// Further sizes at which a step is timed.
    fn further_sizes(&self, step: &Step<Self::Host>, info: &Info) -> Vec<Size> {
        let _ = (step, info);
        Vec::new()
    }

    /// What is verified of a step before it is timed, in this order; on several GPUs where it is
    /// `shared`. The seed of the run decides what is random in it.
    fn verification(&self, step: &Step<Self::Host>, shared: bool, seed: u64) -> Vec<Input>;

    /// Inputs of a launch of size `n` of which a few blocks are verified, where the simulator does not run all of it, and
    /// how many blocks it has. None of a step whose blocks need something of each other, or together make a result.
    fn sampled_blocks(&self, step: &Step<Self::Host>, n: u64, seed: u64) -> Option<(Input, u64)> {
        let _ = (step, n, seed);
        None
    }

    /// Inputs, and what is expected of them.
    fn case(&self, input: Input) -> Self::Case;

    /// Other inputs of the same size. What is expected of them follows from a timed case, but nothing that was
    /// computed for that case can be reused. `None` if there are no such inputs.
    fn renewed(case: &Self::Case, seed: u64) -> Option<Self::Case> {
        let _ = (case, seed);
        None
    }

    /// How long one core may need for the reference of a timed case, in seconds.
    fn case_seconds(&self, n: u64) -> f64 {
        let _ = n;
        0.0
    }

    /// Bytes that a step needs on a device.
    fn bytes(&self, step: &Step<Self::Host>, n: u64) -> u64;

    /// The size with what a step adds to fill up its last block or vector.
    fn padded(&self, step: &Step<Self::Host>, n: u64) -> u64 {
        let _ = step;
        n
    }

    /// The launches of a pass, in order. Empty where a host program decides while it runs.
    fn launches(&self, step: &Step<Self::Host>, n: u64, multiprocessors: u32) -> Vec<Launch>;

    /// The step with blocks of another size.
    ///
    /// # Errors
    /// Why its blocks cannot have that size.
    fn with_block(step: &Step<Self::Host>, block: u32) -> Result<Step<Self::Host>, BlockError> {
        let Threads::Blocks { stated, .. } = step.threads else {
            return Err(BlockError::NoBlocks);
        };
        Ok(Step { threads: Threads::Blocks { block, stated }, ..*step })
    }

    /// A step's code for the CPU; its name is set by the caller.
    ///
    /// # Errors
    /// It has none, or the code cannot be compiled here.
    fn host_code(step: &Step<Self::Host>, on: &OnCpu) -> Result<HostCode, Error> {
        let _ = on;
        Err(Error::Skipped {
            reason: format!("{} has no code for the CPU", step.name),
            remedy: "run it on a GPU or with --device simt".to_owned(),
        })
    }

    /// Vector instructions that a pass executes on the CPU; none where they cannot be counted.
    fn executed_on_cpu(&self, step: &Step<Self::Host>, vectors: Vectors, n: u64) -> Option<Counts> {
        let _ = (step, vectors, n);
        None
    }

    /// Allocates what a step needs for a case, and plans its launches as for a GPU of so many
    /// multiprocessors; nothing is there before [`Pass::upload`].
    ///
    /// # Errors
    /// The device's: out of memory, a lost GPU.
    fn place<'m>(
        device: &mut dyn Device,
        step: &Step<Self::Host>,
        module: &'m mut Module,
        case: Arc<Self::Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error>;

    /// The same on one GPU of a group, between which the step divides the work.
    ///
    /// # Errors
    /// The device's; [`Error::Skipped`] of a step that is for one GPU.
    fn place_shared<'m>(
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step<Self::Host>,
        module: &'m mut Module,
        case: Arc<Self::Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn SharedPass + 'm>, Error> {
        let _ = (device, group, module, case, multiprocessors);
        Err(Error::Skipped {
            reason: format!("{} is for one GPU", step.name),
            remedy: "run one that divides its work: `harness list`".to_owned(),
        })
    }

    /// Does what options ask of the last step of a run once it verified. `sizes` are the size at which it is timed
    /// and the size that was requested.
    ///
    /// # Errors
    /// What could not be done, and why.
    fn conclude(
        &self,
        device: &mut dyn Device,
        step: &Step<Self::Host>,
        module: &mut Module,
        sizes: (u64, u64),
    ) -> Result<(), Conclusion> {
        let _ = (device, step, module, sizes);
        Ok(())
    }

    /// Opens the problem with the options of a run.
    ///
    /// # Errors
    /// Which option is impossible, and what is possible.
    fn open(request: &Request) -> Result<Self, OptionError>;
}

/// Why a problem cannot be opened with the options of a run.
#[derive(Debug, thiserror::Error)]
pub enum OptionError {
    /// An option has an impossible value.
    #[error("--{option} {value}: {possible}")]
    Value {
        /// The option without its dashes.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// Which values are possible.
        possible: String,
    },
    /// A file that an option names cannot be used. The error names it.
    #[error(transparent)]
    File(Box<dyn std::error::Error + Send + Sync>),
}

impl OptionError {
    /// A file that an option names cannot be used.
    pub fn file(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> OptionError {
        OptionError::File(error.into())
    }
}

/// Why what an option asks of the last step failed.
#[derive(Debug)]
pub enum Conclusion {
    /// The device failed.
    Device(Error),
    /// What came out is wrong.
    Wrong(Mismatch),
    /// Anything else, in words.
    Reason(String),
}

impl From<Mismatch> for Conclusion {
    fn from(wrong: Mismatch) -> Conclusion {
        Conclusion::Wrong(wrong)
    }
}

impl From<Error> for Conclusion {
    fn from(error: Error) -> Conclusion {
        Conclusion::Device(error)
    }
}

/// Multiprocessors of a GPU, or of the modelled one. 1 if unknown.
pub fn multiprocessors(device: &dyn Device) -> u32 {
    let modelled = || device.gpu().map(|gpu| gpu.chip.multiprocessors.value as u32);
    device.info().multiprocessors.or_else(modelled).unwrap_or(1).max(1)
}

/// What is run to count a larger pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// The blocks of one of the chip's multiprocessors, of a pass of size `n`.
    FewBlocks {
        /// Problem size `n`.
        n: u64,
    },
    /// All blocks of a pass of size `n`.
    AllBlocks {
        /// Problem size `n`.
        n: u64,
        /// Multiprocessors of the chip on which they run: all, or fewer with as much to do for each.
        multiprocessors: u32,
    },
}

/// Bytes on the device of what is counted in a fraction of a second where few blocks stand for all: with 8 bytes an
/// element, enough for a chip of 132 multiprocessors to be full many times.
const BYTES_OF_FEW: u64 = 1 << 26;

/// Bytes on the device of what is run in a second or two where all blocks must be: more than any L2 cache holds.
const BYTES_OF_ALL: u64 = 1 << 27;

impl Sample {
    /// The size of the pass of which blocks run.
    pub fn n(&self) -> u64 {
        match *self {
            Sample::FewBlocks { n } | Sample::AllBlocks { n, .. } => n,
        }
    }

    /// Few blocks of a pass that needs at most so much memory that it is placed at once.
    pub fn few_blocks(n: u64, bytes: impl Fn(u64) -> u64) -> Sample {
        Sample::FewBlocks { n: halved(n, |n| bytes(n) > BYTES_OF_FEW) }
    }

    /// All blocks of a pass with more data than an L2 cache holds, if `n` has.
    pub fn all_blocks(n: u64, multiprocessors: u32, bytes: impl Fn(u64) -> u64) -> Sample {
        let n = halved(n, |n| bytes(n) > BYTES_OF_ALL);
        Sample::AllBlocks { n, multiprocessors }
    }

    /// All blocks of a part of the chip with its part of the work: a multiprocessor has as much to do as on the whole chip.
    pub fn part(n: u64, multiprocessors: u32, part: u32) -> Sample {
        let part = part.min(multiprocessors);
        let n = n * u64::from(part) / u64::from(multiprocessors);
        Sample::AllBlocks { n, multiprocessors: part }
    }
}

/// A size, halved as long as it is too large.
fn halved(mut n: u64, is_too_large: impl Fn(u64) -> bool) -> u64 {
    while is_too_large(n) {
        n /= 2;
    }
    n
}

/// How the work of a pass grows with its size n.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Each element meets all others: a·n² + b·n.
    Square,
    /// With the work, plus a constant.
    Work,
    /// As the product of matrices: with the work, and with the elements of a matrix, of which there are as many as the
    /// work to the power of ⅔.
    Product,
}

/// An option that only one problem has.
#[derive(Debug, Clone, Copy)]
pub struct ProblemOption {
    /// Its name on the command line, without the dashes: "time-steps".
    pub name: &'static str,
    /// What stands for its value: "FILE", "N".
    pub value: &'static str,
    /// What it does, in a sentence.
    pub help: &'static str,
}

/// What code for the CPU may use.
#[derive(Debug, Clone, Copy)]
pub struct OnCpu<'a> {
    /// The folder of the ladder's files.
    pub kernels: &'a Path,
    /// Vectors that it may use.
    pub vectors: Vectors,
    /// Threads that it may use.
    pub threads: usize,
}
