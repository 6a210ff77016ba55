//! Problems from arrays to arrays: what technique ladders state is their data and their launches. Placing, poisoning,
//! copying and judging are the same for all, and are here.
//!
//! ```text
//! Arrays      extent, data, calls: what a ladder states
//!   └ data    named arrays: inputs, outputs with what is expected of them, scratch memory, constants
//!   └ memory  an array on a device, and the objects through which kernels access texels
//!   └ placed  all of them; a pass makes the calls in their order
//!   └ kept    copies of inputs that a GPU keeps from sample to sample
//! ```
//!
//! Whatever implements [`Arrays`] is a [`Problem`].

mod call;
mod case;
mod data;
mod device_arrays;
mod kept;
mod memory;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use chacha20::rand_core::{Rng, SeedableRng};
use device::{Device, Error, Info, Module};
use report::{Figure, Request};

use crate::limits::Chip;
use crate::problem::{Input, Pass, Problem, ProblemOption, Purpose, Sample};
use crate::step::{Launch, Step, Threads};

pub use call::{Call, KernelArgument};
pub use case::Case;
pub use data::{Array, Data, Extent, Judge, Role, Texels, Values};
use device_arrays::DeviceArrays;
pub use elements::{Random, drawn, fraction, random_words};
use kept::Kept;

/// A problem from arrays to arrays.
pub trait Arrays: Default + Send + Sync + 'static {
    /// What the calls of a step depend on; `()` where kernels differ alone.
    type Host: Copy + Send + Sync;

    /// The sizes.
    const SIZES: Sizes;
    /// Kinds of data, each verified at every size; the first is timed unless an option says otherwise.
    const KINDS: &'static [&'static str];
    /// Options that only this problem has.
    const OPTIONS: &'static [ProblemOption] = &[];

    /// As [`Problem::WATCHES_RESIDENCY`].
    const WATCHES_RESIDENCY: bool = false;

    /// The figure of merit, and the words of its tables.
    fn figure() -> Figure;

    /// Units of work of a pass of size `n`.
    fn work(n: u64) -> f64;

    /// Bytes that a pass must move to and from the memory of a GPU, whatever its code.
    fn moved(n: u64) -> f64;

    /// The least time that any code can take for a pass on a chip, s.
    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        chip.memory_seconds(Self::moved(n))
    }

    /// Bytes that all arrays need on a device.
    fn bytes(n: u64) -> u64;

    /// How far data of a size reaches.
    fn extent(n: u64, kind: &str, random: &mut Random) -> Extent {
        let _ = (kind, random);
        [n, 1, 1]
    }

    /// Arrays of a kind, with what is expected of the outputs. The same for all steps.
    fn data(extent: Extent, kind: &str, random: &mut Random) -> Data;

    /// Whether steps of one launch write each element of an output by one block, which needs nothing of the others: then
    /// some blocks of a launch are verified that the simulator does not run as a whole.
    const BLOCKS_ALONE: bool = false;

    /// What a pass does, in this order, planned for a GPU of so many multiprocessors.
    fn calls(step: &Step<Self::Host>, extent: Extent, multiprocessors: u32) -> Vec<Call>;

    /// What element `i` of an array is called in messages.
    fn place(extent: Extent, array: &str, i: usize) -> String {
        let _ = (extent, array);
        format!("element {i}")
    }

    /// What the host does for a step beyond launches in blocks, in words: name and value.
    fn on_the_host(step: &Step<Self::Host>) -> Vec<(&'static str, String)> {
        let _ = step;
        Vec::new()
    }

    /// How a step's output is judged, where steps promise less or more than the data say.
    fn judge(step: &Step<Self::Host>, array: &str, stated: Judge) -> Judge {
        let _ = (step, array);
        stated
    }

    /// The problem with the options of a run.
    ///
    /// # Errors
    /// Which option is impossible, and what is possible.
    fn open(request: &Request) -> Result<Self, String> {
        let _ = request;
        Ok(Self::default())
    }

    /// The kind of data that is timed.
    fn timed(&self) -> &'static str {
        Self::KINDS[0]
    }

    /// As [`Problem::sample`]. Where blocks on different multiprocessors read the same bytes, as in a matrix product, few
    /// blocks do not stand for all: the first that reads a byte brings it to the L2 cache for all others.
    fn sample(step: &Step<Self::Host>, n: u64, multiprocessors: u32, communicates: bool) -> Sample {
        let _ = step;
        match communicates {
            false => Sample::few_blocks(n, Self::bytes),
            true => Sample::all_blocks(n, multiprocessors, Self::bytes),
        }
    }

    /// The step with blocks of another size.
    ///
    /// # Errors
    /// Why its blocks cannot have that size.
    fn with_block(step: &Step<Self::Host>, block: u32) -> Result<Step<Self::Host>, String> {
        whole_warps(step, block)
    }
}

/// The step with blocks of another size, which must be whole warps where its kernels state the number.
///
/// # Errors
/// They are not, or the step has no blocks.
pub fn whole_warps<H: Copy>(step: &Step<H>, block: u32) -> Result<Step<H>, String> {
    match step.threads {
        Threads::Blocks { stated: true, .. } if !block.is_multiple_of(32) => {
            Err(format!("its blocks are whole warps, and {block} is no multiple of 32"))
        }
        Threads::Blocks { stated, .. } => {
            Ok(Step { threads: Threads::Blocks { block, stated }, ..*step })
        }
        Threads::One | Threads::Cores => Err("it has no blocks".to_owned()),
    }
}

/// The sizes of a problem.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Verified in every run: 1, both sides of the edges of a warp and of a block, and some that are no multiple of
    /// anything.
    pub verified: &'static [u64],
    /// A size in each of these ranges is drawn by the seed of a run, from the first up to but without the second.
    pub drawn: &'static [(u64, u64)],
    /// Verified also with launches planned for one and for two multiprocessors: so few that threads have several
    /// elements.
    pub planned_for_few: Option<u64>,
    /// Run twice, of steps that promise the same bits in every run; none where results are exact anyway.
    pub repeated: Option<u64>,
    /// Timed on a GPU: far more than its caches hold.
    pub measured: u64,
    /// What the simulator runs as a whole, and verifies, where the time of a larger size is modelled: a fraction of a
    /// second.
    pub simulated: u64,
    /// The largest that there can be.
    pub most: u64,
}

impl<A: Arrays> Problem for A {
    type Host = A::Host;
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] = A::OPTIONS;
    const WATCHES_RESIDENCY: bool = A::WATCHES_RESIDENCY;

    fn figure() -> Figure {
        <A as Arrays>::figure()
    }

    fn work(n: u64) -> f64 {
        <A as Arrays>::work(n)
    }

    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        <A as Arrays>::least_seconds(n, chip)
    }

    fn on_the_host(step: &Step<A::Host>) -> Vec<(&'static str, String)> {
        let block = step.threads.block();
        let threads = block.map(|block| ("threads", format!("in blocks of {block}")));
        threads.into_iter().chain(<A as Arrays>::on_the_host(step)).collect()
    }

    fn default_size(&self, _: &Step<A::Host>, _: &Info) -> u64 {
        A::SIZES.measured
    }

    fn simulated_size(_: &Step<A::Host>, n: u64) -> u64 {
        n.min(A::SIZES.simulated)
    }

    fn sample(step: &Step<A::Host>, n: u64, multiprocessors: u32, communicates: bool) -> Sample {
        A::sample(step, n, multiprocessors, communicates)
    }

    fn most(&self) -> u64 {
        A::SIZES.most
    }

    fn verification(&self, _: &Step<A::Host>, _: bool, seed: u64) -> Vec<Input> {
        let mut random = Random::seed_from_u64(seed);
        let drawn =
            A::SIZES.drawn.iter().map(|(least, end)| least + random.next_u64() % (end - least));
        let sizes: Vec<u64> = A::SIZES.verified.iter().copied().chain(drawn).collect();
        let each = |&n: &u64| A::KINDS.iter().map(move |kind| Input::verified(n, kind, seed));
        let few = A::SIZES
            .planned_for_few
            .into_iter()
            .flat_map(|n| [1, 2].map(|few| Input::verified(n, A::KINDS[0], seed).planned_for(few)));
        let repeated = A::SIZES.repeated.into_iter().map(|n| Input {
            purpose: Purpose::Repeated(A::KINDS[0]),
            ..Input::verified(n, A::KINDS[0], seed)
        });
        sizes.iter().flat_map(each).chain(few).chain(repeated).collect()
    }

    fn sampled_blocks(&self, step: &Step<A::Host>, n: u64, seed: u64) -> Option<(Input, u64)> {
        let mut n = n;
        while <A as Arrays>::bytes(n) > SAMPLED_BYTES {
            n /= 2;
        }
        let input = Input::verified(n, self.timed(), seed);
        let calls = |multiprocessors| {
            let mut random = Random::seed_from_u64(input.data_seed());
            A::calls(step, A::extent(n, self.timed(), &mut random), multiprocessors)
        };
        let blocks = |calls: Vec<Call>| match &calls[..] {
            [Call::Launch(launch, _)] => Some(launch.blocks()),
            _ => None,
        };
        // Not of launches that are planned: their blocks go over the whole array.
        let all = blocks(calls(1)).filter(|_| A::BLOCKS_ALONE)?;
        (blocks(calls(2)) == Some(all)).then_some((input, all))
    }

    fn case(&self, input: Input) -> Case {
        let kind = match input.purpose {
            Purpose::Verified(kind) | Purpose::Repeated(kind) => kind,
            Purpose::Timed | Purpose::Renewed | Purpose::Trial | Purpose::Counted => self.timed(),
        };
        case::<A>(input.n, kind, input.data_seed())
    }

    /// Other data of the same kind and size.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let mut random = Random::seed_from_u64(seed);
        let data = A::data(case.extent, case.kind, &mut random);
        Some(Case { data, kept: Kept::default(), ..*case })
    }

    fn bytes(_: &Step<A::Host>, n: u64) -> u64 {
        <A as Arrays>::bytes(n)
    }

    fn launches(step: &Step<A::Host>, n: u64, multiprocessors: u32) -> Vec<Launch> {
        let extent = A::extent(n, A::KINDS[0], &mut Random::seed_from_u64(n));
        let launch = |call| match call {
            Call::Launch(launch, _) | Call::Together(launch, _) => Some(launch),
            Call::Fill(..) => None,
        };
        A::calls(step, extent, multiprocessors).into_iter().filter_map(launch).collect()
    }

    fn with_block(step: &Step<A::Host>, block: u32) -> Result<Step<A::Host>, String> {
        <A as Arrays>::with_block(step, block)
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step<A::Host>,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let calls = A::calls(step, case.extent, multiprocessors);
        let judge = |array: &str, stated| A::judge(step, array, stated);
        Ok(Box::new(DeviceArrays::new(device, module, case, calls, judge, A::place)?))
    }

    fn open(request: &Request) -> Result<A, String> {
        <A as Arrays>::open(request)
    }
}

/// Bytes of the arrays of a launch of which some blocks are verified, at most: made and judged in a few hundredths of a
/// second.
const SAMPLED_BYTES: u64 = 1 << 25;

fn case<A: Arrays>(n: u64, kind: &'static str, seed: u64) -> Case {
    let mut random = Random::seed_from_u64(seed);
    let extent = A::extent(n, kind, &mut random);
    Case { n, kind, extent, data: A::data(extent, kind, &mut random), kept: Kept::default() }
}
