//! What a pass executes and moves, for any size.

use device::{CodeRoute, Error, Profile, SimulatorDevice, Source, Watching};
use simt::machine::MachineKind;
use simt::model::{Demand, Gpu, Need, Residency};
use simt::{Class, Events};

use super::watched::watch;
use crate::ladder::Open;
use crate::problem::{Growth, Input};
use crate::{Launch, Step, Threads};

/// The size for a step that does all its work in one thread.
const ONE_THREADS_SIZE: u64 = 512;

/// The largest size otherwise, where each element meets all others.
const LARGEST: u64 = 1 << 15;

/// Meetings of one multiprocessor's elements with all others that are simulated in a fraction of a
/// second.
const MEETINGS: u64 = 1 << 22;

/// Bytes on the device of what is counted in a fraction of a second where the work is done once.
const COUNTED_BYTES: u64 = 1 << 27;

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Lanes of a warp.
const LANES: f64 = 32.0;

/// The most elements for each multiprocessor where a step plans its launches: as many as the threads
/// that a multiprocessor holds.
const PLANNED: u64 = 2048;

/// What a pass of a step executes and moves on a GPU.
///
/// It is counted at two sizes, from which counts at others follow ([`Growth`]): where each element
/// meets all others a count is a·n² + b·n, else a·work + b. A multiprocessor holds as many blocks
/// there as at the size that is asked for, since those share its L1 cache. So counts are exact at
/// these sizes, and elsewhere as far as tiles and blocks divide n.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The GPU for which it was counted.
    pub gpu: Gpu,
    /// Bytes of the step at the size that was asked for.
    pub(super) bytes: f64,
    /// Whether all elements are read by all blocks.
    pub(super) growth: Growth,
    /// Its launches at the size that was asked for.
    pub(super) planned: Vec<Launch>,
    /// That size, and what counts grow with there.
    n: u64,
    basis: [f64; 2],
    /// Its kernels, in the order of their first launches.
    pub(super) parts: Vec<Part>,
}

/// What the launches of one kernel execute and move.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The kernel.
    pub kernel: String,
    /// Registers of a thread; none where they are not known.
    pub registers: Option<u32>,
    /// Shared memory of a block in bytes.
    pub shared_bytes: u32,
    large: Launches,
    /// None where the size is too small for two: then counts grow with the work.
    small: Option<Launches>,
}

/// What was counted of a kernel's launches at one size, of all threads.
#[derive(Debug, Clone)]
pub(super) struct Launches {
    /// The size.
    n: u64,
    /// What counts grow with, there: the work, and what grows less.
    basis: [f64; 2],
    /// What is needed of each part of the GPU, in a fixed order.
    pub needs: Vec<Need>,
    /// Modelled time, s.
    pub seconds: f64,
    /// FP32 operations; a multiply-add is two.
    pub fp32_flop: f64,
    /// Special functions.
    pub special: f64,
    /// Machine instructions.
    pub instructions: f64,
    /// Bytes asked of global memory.
    pub global_bytes: f64,
    /// Bytes from and to L2.
    pub l2_bytes: f64,
    /// Bytes read from or written to shared memory.
    pub shared_bytes: f64,
    /// Clocks that each warp takes alone, summed over the warps.
    pub warp_clocks: f64,
}

/// Counts what a pass of `step` with the code of `source` executes and moves on `gpu` at size `n`. It
/// is run at smaller sizes, and only the blocks of one multiprocessor are, so that it takes a
/// fraction of a second.
///
/// # Errors
/// The code cannot run on the simulator: an instruction that it does not know, no PTX and no
/// compiler, a fault.
pub fn count(
    open: &mut dyn Open,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Counted, Error> {
    let n = n.max(1);
    let all = gpu.chip.multiprocessors.value;
    let sizes = sizes(open, step, source, gpu, n)?;
    let (large, multiprocessors) = sizes.large;
    let mut parts: Vec<Part> = Vec::new();
    let profiles = run(open, step, source, gpu, n, (large, multiprocessors.unwrap_or(all)))?;
    let basis = basis(open, large);
    for profile in profiles {
        match parts.iter_mut().find(|part| part.kernel == profile.kernel) {
            Some(part) => part.large.add(&profile),
            None => parts.push(Part::new(&profile, large, basis)),
        }
    }
    if let Some((small, multiprocessors)) = sizes.small {
        let profiles = run(open, step, source, gpu, n, (small, multiprocessors))?;
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
        parts,
    })
}

/// What counts grow with at size `n`: the work, and what grows less.
fn basis(open: &dyn Open, n: u64) -> [f64; 2] {
    match open.growth() {
        Growth::Square => [(n as f64).powi(2), n as f64],
        Growth::Work => [open.work(n), 1.0],
    }
}

/// Runs a pass of a size that stands for `n` on one of so many multiprocessors.
fn run(
    open: &mut dyn Open,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
    (size, multiprocessors): (u64, f64),
) -> Result<Vec<Profile>, Error> {
    let mut gpu = gpu.clone();
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
        Growth::Work => open.bytes(step, n) as f64 <= gpu.chip.l2_bytes.value,
    };
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    let watching = Watching { multiprocessors: Some(1), warm_l2, ..Watching::default() };
    Ok(watch(&mut device, watching, open, step, source, Input::counted(size))?.profiles)
}

/// The sizes at which a step is counted.
fn sizes(
    open: &mut dyn Open,
    step: &Step,
    source: &Source,
    gpu: &Gpu,
    n: u64,
) -> Result<Sizes, Error> {
    let all = gpu.chip.multiprocessors.value;
    if open.growth() == Growth::Work {
        let mut large = n;
        while open.bytes(step, large) > COUNTED_BYTES {
            large /= 2;
        }
        let half = large / 2;
        return Ok(Sizes { large: (large, None), small: (half > 0).then_some((half, all)) });
    }
    let resident = match step.threads {
        Threads::One | Threads::Cores => 1,
        Threads::Blocks { block, stated: false } => {
            // A first block shows what it needs, and so how many are resident.
            let first = run(open, step, source, gpu, n, (u64::from(block).min(n), all))?;
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
}

impl Sizes {
    /// For size `n`, where the threads of the blocks on one multiprocessor are `resident`.
    fn new(threads: Threads, resident: u64, n: u64) -> Sizes {
        if threads == Threads::One {
            let large = n.min(ONE_THREADS_SIZE);
            let small = (large / 2 > 0).then_some((large / 2, 1.0));
            return Sizes { large: (large, Some(1.0)), small };
        }
        let filled = |multiprocessors: u64| (multiprocessors * resident, multiprocessors as f64);
        let most = (MEETINGS / resident).min(LARGEST) / resident;
        let (large, half) = if n <= most.max(2) * resident {
            ((n, None), n / resident / 2)
        } else {
            let (size, multiprocessors) = filled(most.max(2));
            ((size, Some(multiprocessors)), most.max(2) / 2)
        };
        Sizes { large, small: (half > 0).then(|| filled(half)) }
    }
}

impl Part {
    fn new(profile: &Profile, n: u64, basis: [f64; 2]) -> Part {
        Part {
            kernel: profile.kernel.clone(),
            registers: profile.registers,
            shared_bytes: profile.shared_bytes,
            large: Launches::new(profile, n, basis),
            small: None,
        }
    }

    /// A count where what counts grow with is `basis`.
    fn at(&self, basis: [f64; 2], of: impl Fn(&Launches) -> f64) -> f64 {
        let [work, less] = basis;
        let [large_work, large_less] = self.large.basis;
        let all = of(&self.large);
        let of_work = all / large_work;
        let Some(small) = &self.small else { return of_work * work };
        let [small_work, small_less] = small.basis;
        // count / less = a·(work / less) + b.
        let (each, each_of_small) = (all / large_less, of(small) / small_less);
        let slope = large_work / large_less - small_work / small_less;
        let of_work = ((each - each_of_small) / slope).clamp(0.0, of_work);
        let of_less = each - of_work * large_work / large_less;
        of_work * work + of_less * less
    }
}

impl Launches {
    fn new(profile: &Profile, n: u64, basis: [f64; 2]) -> Launches {
        let counts = profile.executed();
        let traffic = profile.traffic();
        let events = &profile.events;
        let sectors = traffic.l2_hits + traffic.dram_sectors + traffic.local_sectors;
        let in_arithmetic = lanes(events, &ARITHMETIC);
        Launches {
            n,
            basis,
            needs: profile.needs(),
            seconds: profile.estimate.seconds,
            fp32_flop: counts.fp32.flop() * in_arithmetic,
            special: counts[MachineKind::Mufu] * in_arithmetic,
            instructions: counts.total * lanes(events, &Class::ALL),
            global_bytes: traffic.global_bytes as f64,
            l2_bytes: (sectors * SECTOR) as f64,
            shared_bytes: traffic.shared_bytes as f64,
            warp_clocks: profile.warp_clocks() * counts.warps,
        }
    }

    /// Counts another launch as well.
    fn add(&mut self, profile: &Profile) {
        let more = Launches::new(profile, self.n, self.basis);
        for (need, other) in self.needs.iter_mut().zip(more.needs) {
            need.clocks += other.clocks;
        }
        self.seconds += more.seconds;
        self.fp32_flop += more.fp32_flop;
        self.special += more.special;
        self.instructions += more.instructions;
        self.global_bytes += more.global_bytes;
        self.l2_bytes += more.l2_bytes;
        self.shared_bytes += more.shared_bytes;
        self.warp_clocks += more.warp_clocks;
    }
}

/// Classes of PTX instructions that become arithmetic in FP32 and special functions.
const ARITHMETIC: [Class; 8] = [
    Class::Fp32Add,
    Class::Fp32Mul,
    Class::Fp32Fma,
    Class::Mufu,
    Class::MufuSubnormal,
    Class::SqrtRn,
    Class::RcpRn,
    Class::DivRn,
];

/// Active lanes of the average instruction of some classes.
fn lanes(events: &Events, classes: &[Class]) -> f64 {
    let (warps, threads) = classes.iter().fold((0, 0), |(warps, threads), &class| {
        let count = events.class(class);
        (warps + count.warps, threads + count.threads)
    });
    if warps == 0 { LANES } else { threads as f64 / warps as f64 }
}

impl Counted {
    /// The greater of the sizes at which it was counted.
    pub fn counted_n(&self) -> u64 {
        self.parts.first().map_or(1, |part| part.large.n)
    }

    /// A count of all kernels, at the size that was asked for.
    pub(super) fn at(&self, of: impl Fn(&Launches) -> f64) -> f64 {
        self.parts.iter().map(|part| self.of(part, &of)).sum()
    }

    /// A count of one kernel there.
    pub(super) fn of(&self, part: &Part, of: impl Fn(&Launches) -> f64) -> f64 {
        part.at(self.basis, of)
    }

    /// What one kernel needs of each part of the GPU there.
    pub(super) fn needs(&self, part: &Part) -> impl Iterator<Item = Need> {
        part.large.needs.iter().enumerate().map(move |(place, need)| Need {
            clocks: self.of(part, |launches| launches.needs[place].clocks),
            ..*need
        })
    }

    /// Clocks that its average warp takes alone there, where its launches spread like this.
    pub(super) fn warp_clocks(&self, part: &Part, residencies: &[Residency]) -> f64 {
        let warps = |of: &Residency| of.grid_blocks * u64::from(of.block_warps);
        let warps: u64 = residencies.iter().map(warps).sum();
        self.of(part, |launches| launches.warp_clocks) / warps as f64
    }

    /// The modelled time of a pass there, s; none where it is not known beforehand what it launches.
    pub fn seconds(&self) -> Option<f64> {
        let of_part = |part| {
            let residencies = self.residencies(part);
            let (needs, warp_clocks) =
                (Vec::from_iter(self.needs(part)), self.warp_clocks(part, &residencies));
            let blocks: u64 = residencies.iter().map(|of| of.grid_blocks).sum();
            let of_launch = |residency: &Residency| {
                let share = residency.grid_blocks as f64 / blocks as f64;
                let own = |need: &Need| Need { clocks: need.clocks * share, ..*need };
                let demand = Demand { needs: needs.iter().map(own).collect(), warp_clocks };
                demand.estimate(&self.gpu, residency).seconds
            };
            (!residencies.is_empty()).then(|| residencies.iter().map(of_launch).sum::<f64>())
        };
        self.parts.iter().map(of_part).sum()
    }

    /// The size that was asked for.
    pub(super) fn asked(&self) -> u64 {
        self.n
    }

    /// The kernel that takes the most time there; the first of equal ones.
    pub(super) fn longest(&self) -> Option<&Part> {
        let seconds = |part: &Part| self.of(part, |launches| launches.seconds);
        self.parts
            .iter()
            .reduce(|best, part| if seconds(part) > seconds(best) { part } else { best })
    }

    /// The launches of a kernel there.
    pub(super) fn launches(&self, part: &Part) -> impl Iterator<Item = &Launch> {
        self.planned.iter().filter(|launch| launch.kernel == part.kernel)
    }

    /// How the blocks of each launch of a kernel spread over the GPU; nothing of one of which no
    /// block fits.
    pub(super) fn residencies(&self, part: &Part) -> Vec<Residency> {
        self.launches(part)
            .filter_map(|launch| {
                let (threads, blocks) = (launch.threads(), launch.blocks());
                self.gpu.residency(threads, part.registers, part.shared_bytes, blocks).ok()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiprocessors_are_filled_as_at_the_size_that_is_asked_for() {
        let blocks = Threads::Blocks { block: 256, stated: false };
        let sizes = |resident, n| Sizes::new(blocks, resident, n);
        // Four blocks of 256: 1024 threads, and 1024 · 4096 meetings.
        let four = Sizes { large: (4096, Some(4.0)), small: Some((2048, 2.0)) };
        assert_eq!(sizes(1024, 131_072), four);
        // A full multiprocessor.
        let full = Sizes { large: (4096, Some(2.0)), small: Some((2048, 1.0)) };
        assert_eq!(sizes(2048, 1 << 20), full);
        // A small size is run itself.
        let few = Sizes { large: (1000, None), small: Some((256, 1.0)) };
        assert_eq!(sizes(256, 1000), few);
        assert_eq!(sizes(256, 300), Sizes { large: (300, None), small: None });
        let one = |n| Sizes::new(Threads::One, 1, n);
        assert_eq!(one(8192), Sizes { large: (512, Some(1.0)), small: Some((256, 1.0)) });
        assert_eq!(one(1), Sizes { large: (1, Some(1.0)), small: None });
    }

    #[test]
    fn what_grows_with_pairs_and_with_elements_is_told_apart() {
        let square = |n: u64| [(n as f64).powi(2), n as f64];
        let launches = |n: u64| Launches {
            n,
            basis: square(n),
            needs: Vec::new(),
            seconds: 0.0,
            fp32_flop: 3.0 * (n * n) as f64 + 50.0 * n as f64,
            special: (n * n) as f64,
            instructions: 7.0 * n as f64,
            global_bytes: 0.0,
            l2_bytes: 0.0,
            shared_bytes: 0.0,
            warp_clocks: 0.0,
        };
        let part = |small| Part {
            kernel: "sum".to_owned(),
            registers: None,
            shared_bytes: 0,
            large: launches(1000),
            small,
        };
        let counted = |n, parts| Counted {
            gpu: Gpu::named("h200").expect("a GPU that is known"),
            bytes: 0.0,
            growth: Growth::Square,
            planned: Vec::new(),
            n,
            basis: square(n),
            parts,
        };
        let both = counted(10_000, vec![part(Some(launches(500)))]);
        assert!((both.at(|launches| launches.fp32_flop) / 300.5e6 - 1.0).abs() < 1e-9);
        assert!((both.at(|launches| launches.instructions) / 7e4 - 1.0).abs() < 1e-9);
        assert_eq!(both.at(|launches| launches.shared_bytes), 0.0);
        let one = counted(2000, vec![part(None)]);
        assert!((one.at(|launches| launches.special) / 4e6 - 1.0).abs() < 1e-9);
        let two = counted(2000, vec![part(None), part(Some(launches(500)))]);
        assert!((two.at(|launches| launches.special) / 8e6 - 1.0).abs() < 1e-9);
    }
}
