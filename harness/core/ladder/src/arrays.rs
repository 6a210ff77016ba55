//! Problems whose kernels read arrays and write arrays. A ladder defines its data and its launches. Placing, poisoning,
//! copying and judging are the same for all, and are here.
//!
//! ```text
//! Arrays            extent, data, calls: what a ladder defines
//!   └ call          launches with their arguments
//!   └ data          named arrays: inputs, outputs, scratch memory, constants
//!   └ values        elements of an array, of any of its types
//!   └ inputs        which sizes and kinds of data a step is verified with
//!   └ expected      the expected values of an output: all, or those that `chosen` selects
//!   └ judge         holds an output against what is expected
//!   └ residues      tell whether elements that are not compared are right
//!   └ case          the data of one size
//!   └ memory        an array on a device, and the objects through which kernels access texels
//!   └ device_arrays all arrays of a case on a device; a pass makes the calls in order
//!   └ kept          copies of inputs that a GPU keeps from sample to sample
//! ```
//!
//! Whatever implements [`Arrays`] is a [`Problem`].

mod call;
mod case;
mod chosen;
mod data;
mod device_arrays;
mod expected;
mod inputs;
mod judge;
mod kept;
mod memory;
mod residues;
#[cfg(test)]
mod tests;
mod values;

use std::ops::Range;
use std::sync::Arc;

use chacha20::rand_core::{Rng, SeedableRng};
use device::{Device, Error, Info, Module};
use report::{Figure, NamedSize, Request};

use crate::limits::Chip;
use crate::problem::{Growth, Input, OptionError, Pass, Problem, ProblemOption, Purpose, Sample};
use crate::step::{BlockError, Code, Function, Launch, Step, Threads};

pub use call::{Attention, Call, KernelArgument, Product};
pub use case::Case;
pub use chosen::chosen;
pub use data::{Array, Data, Extent, Role, Texels};
use device_arrays::DeviceArrays;
pub use elements::edges::{self, plant};
pub use elements::{Random, drawn, fraction, of_random_words, random_words};
pub use expected::Expected;
pub use inputs::Sizes;
pub use judge::Judge;
pub use residues::Residues;
pub use values::Values;

/// A problem whose kernels read arrays and write arrays.
pub trait Arrays: Default + Send + Sync + 'static {
    /// What a step changes on the host. `()` where only the kernels differ.
    type Host: Copy + Send + Sync;

    /// Which sizes are verified, timed and simulated.
    const SIZES: Sizes;
    /// Names of the kinds of data. Each is verified at every size. The first is timed unless an option chooses
    /// another.
    const KINDS: &'static [&'static str];
    /// A kind that is verified alone, at each of these sizes, with launches as for so many multiprocessors: where its shapes
    /// go through cases, as many as there are sizes. Of many sizes some are searched for hazards, which are the same at their
    /// neighbours.
    const ALONE: (&'static str, Range<u64>, u32) = ("", 0..0, 1);
    /// Options that only this problem has.
    const OPTIONS: &'static [ProblemOption] = &[];

    /// As [`Problem::WATCHES_RESIDENCY`].
    const WATCHES_RESIDENCY: bool = false;

    /// The figure of merit, and the words that tables use for it.
    fn figure() -> Figure;

    /// Work of a pass of size `n`, in the unit that [`Figure::work`] names.
    fn work(&self, n: u64) -> f64;

    /// Bytes that any code must read from and write to the memory of a GPU in a pass: the work, where that is bytes.
    fn moved(&self, n: u64) -> f64 {
        self.work(n)
    }

    /// Ordinary instructions that any code must execute in a pass, counted for each thread. A multiplication and the
    /// addition of its result are one. 0 if matrix units may do them, or if they take less time than the memory.
    fn operations(&self, n: u64) -> f64 {
        let _ = n;
        0.0
    }

    /// Lower bound of the time of a pass on a chip in seconds, for any code.
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        chip.memory_seconds(self.moved(n)).max(chip.arithmetic_seconds(self.operations(n)))
    }

    /// Bytes of all arrays on a device.
    fn bytes(&self, n: u64) -> u64;

    /// The sizes by name that stand for size `n`, of a problem that has several: see [`Shape`](crate::problem::Shape).
    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let _ = n;
        Vec::new()
    }

    /// The size that the options imply: as [`Problem::implied_size`].
    fn implied_size(&self) -> Option<u64> {
        None
    }

    /// Dimensions of the data of size `n`.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        let _ = (kind, random);
        [n, 1, 1]
    }

    /// The arrays, with the expected outputs. They are the same for all steps.
    fn data(extent: Extent, kind: &str, random: &mut Random) -> Data;

    /// How what a step executes grows with the size.
    const GROWTH: Growth = Growth::Work;

    /// Whether each block of a launch writes elements of its own and needs no other block. If so, a few blocks are
    /// verified of a launch that is too large to simulate as a whole.
    const BLOCKS_ALONE: bool = false;

    /// What a pass does, in this order, on a GPU with so many multiprocessors. That of a function of CUB is known: it has the
    /// arrays that the step names.
    fn calls(step: &Step<Self::Host>, extent: Extent, multiprocessors: u32) -> Vec<Call>;

    /// The name of element `i` of an array in messages.
    fn place(extent: Extent, array: &str, i: usize) -> String {
        let _ = (extent, array);
        format!("element {i}")
    }

    /// What the host does for a step besides its launches, for tables: name and value.
    fn on_the_host(step: &Step<Self::Host>) -> Vec<(&'static str, String)> {
        let _ = step;
        Vec::new()
    }

    /// The judge of a step's output. `stated` is that of [`Arrays::data`], and a step may promise less or more.
    fn judge(step: &Step<Self::Host>, array: &str, stated: Judge) -> Judge {
        let _ = (step, array);
        stated
    }

    /// Opens the problem with the options of a run.
    ///
    /// # Errors
    /// Which option is impossible, and what is possible.
    fn open(request: &Request) -> Result<Self, OptionError> {
        let _ = request;
        Ok(Self::default())
    }

    /// The kind of data that is timed.
    fn timed(&self) -> &'static str {
        Self::KINDS[0]
    }

    /// As [`Problem::sample`]. Where blocks on different multiprocessors read the same bytes, as in a matrix product, few
    /// blocks do not stand for all: the first that reads a byte brings it to the L2 cache for all others.
    fn sample(
        &self,
        step: &Step<Self::Host>,
        n: u64,
        multiprocessors: u32,
        communicates: bool,
    ) -> Sample {
        let _ = step;
        match communicates {
            false => Sample::few_blocks(n, |n| Arrays::bytes(self, n)),
            true => Sample::all_blocks(n, multiprocessors, |n| Arrays::bytes(self, n)),
        }
    }

    /// The step with blocks of another size.
    ///
    /// # Errors
    /// Why its blocks cannot have that size.
    fn with_block(step: &Step<Self::Host>, block: u32) -> Result<Step<Self::Host>, BlockError> {
        whole_warps(step, block)
    }
}

/// The step with blocks of another size, which must be whole warps where its kernels state the number.
///
/// # Errors
/// They are not, or the step has no blocks.
pub fn whole_warps<H: Copy>(step: &Step<H>, block: u32) -> Result<Step<H>, BlockError> {
    match step.threads {
        Threads::Blocks { stated: true, .. } if !block.is_multiple_of(32) => {
            Err(BlockError::Multiple { block, multiple: 32 })
        }
        Threads::Blocks { stated, .. } => {
            Ok(Step { threads: Threads::Blocks { block, stated }, ..*step })
        }
        Threads::One | Threads::Cores => Err(BlockError::NoBlocks),
    }
}

impl<A: Arrays> Problem for A {
    type Host = A::Host;
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] = A::OPTIONS;
    const GROWTH: Growth = A::GROWTH;
    const WATCHES_RESIDENCY: bool = A::WATCHES_RESIDENCY;

    fn figure() -> Figure {
        <A as Arrays>::figure()
    }

    fn work(&self, n: u64) -> f64 {
        Arrays::work(self, n)
    }

    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        Arrays::least_seconds(self, n, chip)
    }

    fn on_the_host(step: &Step<A::Host>) -> Vec<(&'static str, String)> {
        let block = step.threads.block();
        let threads = block.map(|block| ("threads", format!("in blocks of {block}")));
        threads.into_iter().chain(<A as Arrays>::on_the_host(step)).collect()
    }

    fn default_size(&self, _: &Step<A::Host>, _: &Info) -> u64 {
        A::SIZES.measured
    }

    fn simulated_size(&self, _: &Step<A::Host>, n: u64) -> u64 {
        n.min(A::SIZES.simulated)
    }

    fn sample(
        &self,
        step: &Step<A::Host>,
        n: u64,
        multiprocessors: u32,
        communicates: bool,
    ) -> Sample {
        Arrays::sample(self, step, n, multiprocessors, communicates)
    }

    fn most(&self) -> u64 {
        A::SIZES.most
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        Arrays::sizes(self, n)
    }

    fn implied_size(&self) -> Option<u64> {
        Arrays::implied_size(self)
    }

    fn verification(&self, step: &Step<A::Host>, _: bool, seed: u64) -> Vec<Input> {
        let calls = |n: u64, kind: &str, multiprocessors: u32| {
            let mut random = Random::seed_from_u64(seed);
            A::calls(step, self.extent(n, kind, &mut random), multiprocessors)
        };
        inputs::of_verification(&A::SIZES, (A::KINDS, A::ALONE), &calls, seed)
    }

    fn sampled_blocks(&self, step: &Step<A::Host>, n: u64, seed: u64) -> Option<(Input, u64)> {
        let mut n = n;
        while Arrays::bytes(self, n) > SAMPLED_BYTES {
            n /= 2;
        }
        let input = Input::verified(n, self.timed(), seed);
        let calls = |multiprocessors| {
            let mut random = Random::seed_from_u64(input.data_seed());
            A::calls(step, self.extent(n, self.timed(), &mut random), multiprocessors)
        };
        let blocks = |calls: Vec<Call>| match &calls[..] {
            [Call::Launch(launch, _)] => Some(launch.blocks()),
            _ => None,
        };
        // Not of launches that are planned: their blocks go over the whole array.
        let all = blocks(calls(1)).filter(|_| A::BLOCKS_ALONE)?;
        let is_planned = |many: &u32| blocks(calls(*many)) != Some(all);
        (![2, inputs::MANY].iter().any(is_planned)).then_some((input, all))
    }

    fn case(&self, input: Input) -> Case {
        let kind = match input.purpose {
            Purpose::Verified(kind) | Purpose::Repeated(kind) => kind,
            Purpose::Timed | Purpose::Renewed | Purpose::Trial | Purpose::Counted => self.timed(),
        };
        case(self, input.n, kind, input.data_seed())
    }

    /// Other data of the same kind and size.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let mut random = Random::seed_from_u64(seed);
        let data = A::data(case.extent, case.kind, &mut random);
        Some(Case::new((case.n, case.kind, case.extent), data, seed))
    }

    fn bytes(&self, _: &Step<A::Host>, n: u64) -> u64 {
        Arrays::bytes(self, n)
    }

    fn launches(&self, step: &Step<A::Host>, n: u64, multiprocessors: u32) -> Vec<Launch> {
        let extent = self.extent(n, A::KINDS[0], &mut Random::seed_from_u64(n));
        let calls = calls::<A>(step, extent, multiprocessors);
        calls.iter().filter_map(Call::launch).copied().collect()
    }

    fn with_block(step: &Step<A::Host>, block: u32) -> Result<Step<A::Host>, BlockError> {
        <A as Arrays>::with_block(step, block)
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step<A::Host>,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let calls = calls::<A>(step, case.extent, multiprocessors);
        let judge = |array: &str, stated| A::judge(step, array, stated);
        Ok(Box::new(DeviceArrays::new(device, module, case, calls, judge, A::place)?))
    }

    fn open(request: &Request) -> Result<A, OptionError> {
        <A as Arrays>::open(request)
    }
}

/// Bytes of the arrays of a launch of which some blocks are verified, at most: made and judged in a few hundredths of a
/// second.
const SAMPLED_BYTES: u64 = 1 << 25;

/// What a pass of a step does, or of a library's function.
fn calls<A: Arrays>(step: &Step<A::Host>, extent: Extent, multiprocessors: u32) -> Vec<Call> {
    match step.code {
        Code::Library(Function::Cub { arrays, .. }) => vec![Call::Cub(extent[0], arrays)],
        _ => A::calls(step, extent, multiprocessors),
    }
}

fn case<A: Arrays>(problem: &A, n: u64, kind: &'static str, seed: u64) -> Case {
    let mut random = Random::seed_from_u64(seed);
    let extent = problem.extent(n, kind, &mut random);
    Case::new((n, kind, extent), A::data(extent, kind, &mut random), random.next_u64())
}
