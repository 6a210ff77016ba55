//! What a pass executes and moves, for any size.

mod counted;
mod launches;

use std::time::Duration;

use device::{
    CodeRoute, Device, Error, Profile, SimulatorDevice, Source, Watching, long_launch_limit,
};
use simt::model::Gpu;

use super::watched::{repeated, watch};
use crate::ladder::OpenProblem;
use crate::problem::{Growth, Input, Sample};
use crate::{Step, Threads};

pub use counted::Counted;
pub(super) use launches::Part;
use launches::{LANES, Launches};

/// The size for a step that does all its work in one thread.
const ONE_THREADS_SIZE: u64 = 512;

/// The largest size otherwise, where each element meets all others.
const LARGEST: u64 = 1 << 15;

/// Meetings of one multiprocessor's elements with all others that are simulated in a fraction of a
/// second.
const MEETINGS: u64 = 1 << 22;

/// The largest size at which all blocks are run, where few cannot stand for all.
pub const WHOLE: u64 = 10_000;

/// The most elements for each multiprocessor where a step plans its launches: as many as the threads
/// that a multiprocessor holds.
const PLANNED: u64 = 2048;

/// Whether the modelled time of a pass of size `n` is that of what was counted of it. Else it is run as it is for that alone.
pub fn is_timed_by_counts(open: &dyn OpenProblem, step: &Step, n: u64) -> bool {
    open.simulated_size(step, n) < n || (!open.is_counted_by_few_blocks() && n <= WHOLE)
}

/// Counts what a pass of `step` with the code of `source` executes and moves on `gpu` at size `n`. It
/// is run at smaller sizes, and only the blocks of one multiprocessor are where these can do without the
/// others, so that it takes a fraction of a second.
///
/// # Errors
/// The code cannot run on the simulator: an instruction that it does not know, no PTX and no
/// compiler, a fault.
pub fn count(
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Counted, Error> {
    count_within(long_launch_limit()?, open, step, source, gpu, n)
}

/// The same, but given up where no block of a launch ends within a limit: of code that may have no end.
///
/// # Errors
/// As [`count`].
pub fn count_within(
    limit: Duration,
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Counted, Error> {
    let n = n.max(1);
    if !open.is_counted_by_few_blocks() && n > WHOLE {
        return Err(Error::Skipped {
            reason: format!(
                "its blocks wait for what all others make, so that all of them must be run to be counted, and n = {n} \
                 is too large for that"
            ),
            remedy: format!("choose --size {WHOLE} or less"),
        });
    }
    let all = gpu.chip.multiprocessors.value;
    let sizes = sizes(limit, open, step, source, gpu, n)?;
    let (large, multiprocessors) = sizes.large;
    let all_blocks = sizes.all_blocks;
    let mut parts: Vec<Part> = Vec::new();
    let what = Run { size: large, multiprocessors: multiprocessors.unwrap_or(all), all_blocks };
    let (profiles, seconds) = run(limit, open, step, source, gpu, n, what)?;
    let basis = basis(open, large);
    for profile in profiles {
        match parts.iter_mut().find(|part| part.kernel == profile.kernel) {
            Some(part) => part.large.add(&profile),
            None => parts.push(Part::new(&profile, large, basis)),
        }
    }
    if let Some((small, multiprocessors)) = sizes.small {
        let what = Run { size: small, multiprocessors, all_blocks };
        let (profiles, _) = run(limit, open, step, source, gpu, n, what)?;
        let basis = self::basis(open, small);
        for profile in profiles {
            let Some(part) = parts.iter_mut().find(|part| part.kernel == profile.kernel) else {
                continue;
            };
            match &mut part.small {
                Some(small) => small.add(&profile),
                None => part.small = Some(Launches::new(&profile, small, basis)),
            }
        }
    }
    Ok(Counted {
        gpu: gpu.clone(),
        bytes: open.bytes(step, n) as f64,
        growth: open.growth(),
        planned: open.launches(step, n, all as u32),
        n,
        basis: self::basis(open, n),
        as_run: (!open.is_counted_by_few_blocks()).then_some(seconds),
        parts,
    })
}

/// What counts grow with at size `n`: the work, and what grows less.
fn basis(open: &dyn OpenProblem, n: u64) -> [f64; 2] {
    match open.growth() {
        Growth::Square => [(n as f64).powi(2), n as f64],
        Growth::Work => [open.work(n), 1.0],
        Growth::Product => [open.work(n), open.work(n).powf(2.0 / 3.0)],
    }
}

/// What is run to be counted.
struct Run {
    size: u64,
    /// Multiprocessors of the chip.
    multiprocessors: f64,
    /// Whether the blocks of all of them run, or those of one.
    all_blocks: bool,
}

/// Runs a pass of a size that stands for `n`; what was seen of its launches, and its modelled time in s.
fn run(
    limit: Duration,
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
    Run { size, multiprocessors, all_blocks }: Run,
) -> Result<(Vec<Profile>, f64), Error> {
    let mut gpu = gpu.clone();
    // The data are as large beside the L2 cache as on the whole chip.
    gpu.chip.l2_bytes.value *= match open.growth() {
        Growth::Square => 1.0,
        Growth::Work => multiprocessors / gpu.chip.multiprocessors.value,
        Growth::Product => basis(open, size)[1] / basis(open, n)[1],
    };
    gpu.chip.multiprocessors.value = multiprocessors;
    if step.threads == Threads::One {
        // A thread alone comes back to an element only after all others: what fits the L1 cache
        // and what does not stays as it is. The threads of a block read an element together.
        let share = size as f64 / n as f64;
        gpu.memory.l1_bytes.value = (gpu.memory.l1_bytes.value * share).round();
    }
    // One of many passes: the inputs are still there from the last one, where they fit.
    let warm_l2 = match open.growth() {
        Growth::Square => true,
        Growth::Work | Growth::Product => open.bytes(step, n) as f64 <= gpu.chip.l2_bytes.value,
    };
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    let sampled =
        Watching { multiprocessors: Some(1), warm_l2, limit: Some(limit), ..Watching::default() };
    let mut watched =
        |watching| watch(&mut device, watching, open, step, source, Input::counted(size));
    // A launch may need what all blocks of an earlier one have done.
    let all = Watching { multiprocessors: None, ..sampled };
    let seen = match all_blocks {
        true => watched(all),
        false => watched(sampled).or_else(|_| watched(all)),
    }?;
    Ok((repeated(seen.profiles, open.work(n) / open.work(size)), seen.seconds))
}

/// Whether blocks of one of a step's kernels wait for others, or take what these leave, so that all must be run.
fn communicates(source: &Source, gpu: &Gpu) -> Result<bool, Error> {
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
    let module = device.load(source)?;
    Ok(device.code(&module)?.module().kernels().any(simt::Kernel::communicates))
}

/// The sizes at which a step is counted.
fn sizes(
    limit: Duration,
    open: &mut dyn OpenProblem,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Sizes, Error> {
    let all = gpu.chip.multiprocessors.value;
    if !open.is_counted_by_few_blocks() {
        return Ok(Sizes { large: (n, None), small: None, all_blocks: true });
    }
    if open.growth() != Growth::Square {
        let large = match open.sample(step, n, all as u32, communicates(source, gpu)?) {
            Sample::FewBlocks { n } => n,
            Sample::AllBlocks { n, multiprocessors } => {
                let large = (n, Some(multiprocessors.into()));
                // Half the size has a quarter of a matrix's elements.
                let quarter = (f64::from(multiprocessors) / 4.0).round().max(1.0);
                let small = (open.growth() == Growth::Product && n > 1).then_some((n / 2, quarter));
                return Ok(Sizes { large, small, all_blocks: true });
            }
        };
        // Half the size says how counts grow, unless its work is the same.
        let half = large / 2;
        let grows = half > 0 && open.work(half) < open.work(large);
        let small = grows.then_some((half, all));
        return Ok(Sizes { large: (large, None), small, all_blocks: false });
    }
    let resident = match step.threads {
        Threads::One | Threads::Cores => 1,
        Threads::Blocks { block, stated: false } => {
            // A first block shows what it needs, and so how many are resident.
            let size = u64::from(block).min(n);
            let what = Run { size, multiprocessors: all, all_blocks: false };
            let (first, _) = run(limit, open, step, source, gpu, n, what)?;
            let (registers, shared_bytes) = (first[0].registers, first[0].shared_bytes);
            let grid = n.div_ceil(block.into());
            let most = gpu.residency(block, registers, shared_bytes, grid)?;
            u64::from(most.blocks * block)
        }
        // Who plans launches divides the elements among the multiprocessors that there are.
        Threads::Blocks { stated: true, .. } => {
            n.div_ceil(all as u64).next_multiple_of(LANES as u64).min(PLANNED)
        }
    };
    Ok(Sizes::new(step.threads, resident, n))
}

/// The sizes at which a step is counted, and the multiprocessors among which the blocks are divided
/// there: so many that each holds as many as at the size that was asked for.
#[derive(Debug, PartialEq)]
struct Sizes {
    /// None of the latter: those that the GPU has.
    large: (u64, Option<f64>),
    small: Option<(u64, f64)>,
    /// Whether the blocks of all multiprocessors are run, or those of one.
    all_blocks: bool,
}

impl Sizes {
    /// For size `n`, where the threads of the blocks on one multiprocessor are `resident`.
    fn new(threads: Threads, resident: u64, n: u64) -> Sizes {
        if threads == Threads::One {
            let large = n.min(ONE_THREADS_SIZE);
            let small = (large / 2 > 0).then_some((large / 2, 1.0));
            return Sizes { large: (large, Some(1.0)), small, all_blocks: false };
        }
        let filled = |multiprocessors: u64| (multiprocessors * resident, multiprocessors as f64);
        let most = (MEETINGS / resident).min(LARGEST) / resident;
        let (large, half) = if n <= most.max(2) * resident {
            ((n, None), n / resident / 2)
        } else {
            let (size, multiprocessors) = filled(most.max(2));
            ((size, Some(multiprocessors)), most.max(2) / 2)
        };
        Sizes { large, small: (half > 0).then(|| filled(half)), all_blocks: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The large size with its multiprocessors, and the small one.
    type Pair = ((u64, Option<f64>), Option<(u64, f64)>);

    fn pair(sizes: Sizes) -> Pair {
        (sizes.large, sizes.small)
    }

    #[test]
    fn multiprocessors_are_filled_as_at_the_size_that_is_asked_for() {
        let blocks = Threads::Blocks { block: 256, stated: false };
        let sizes = |resident, n| pair(Sizes::new(blocks, resident, n));
        // Four blocks of 256: 1024 threads, and 1024 · 4096 meetings.
        let four = ((4096, Some(4.0)), Some((2048, 2.0)));
        assert_eq!(sizes(1024, 131_072), four);
        // A full multiprocessor.
        let full = ((4096, Some(2.0)), Some((2048, 1.0)));
        assert_eq!(sizes(2048, 1 << 20), full);
        // A small size is run itself.
        let few = ((1000, None), Some((256, 1.0)));
        assert_eq!(sizes(256, 1000), few);
        assert_eq!(sizes(256, 300), ((300, None), None));
        let one = |n| pair(Sizes::new(Threads::One, 1, n));
        assert_eq!(one(8192), ((512, Some(1.0)), Some((256, 1.0))));
        assert_eq!(one(1), ((1, Some(1.0)), None));
    }
}
