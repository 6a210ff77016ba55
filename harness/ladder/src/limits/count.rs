//! What a force evaluation executes and moves, for any number of bodies.

use device::{CodeRoute, Error, Profile, SimulatorDevice, Source, Watching};
use simt::machine::MachineKind;
use simt::model::{Gpu, Need, Owner, Residency};
use simt::{Class, Events};

use super::watched::watch;
use crate::nbody::{SEED, plummer};
use crate::{Launch, Step, Threads};

/// The time step that is counted: one like all but the first, which has no velocities to correct.
const TIME_STEP: u32 = 1;

/// Bodies for a step that does all its work in one thread.
const ONE_THREADS_BODIES: u64 = 512;

/// The most bodies otherwise.
const BODIES: u64 = 1 << 15;

/// Interactions of one multiprocessor's blocks that are simulated in a fraction of a second.
const INTERACTIONS: u64 = 1 << 22;

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Lanes of a warp.
const LANES: f64 = 32.0;

/// The most bodies for each multiprocessor where a step plans its launches: as many as the threads
/// that a multiprocessor holds.
const PLANNED_BODIES: u64 = 2048;

/// What a step's force evaluation executes and moves on a GPU.
///
/// It is counted at two sizes. Whatever an all-pairs kernel does, it does once for each pair or once
/// for each body: a count is a·n² + b·n, and two sizes tell a and b. A multiprocessor holds as many
/// blocks there as at the size that is asked for, since those share its L1 cache. So counts are
/// exact at these sizes, and elsewhere as far as tiles and blocks divide n.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The GPU for which it was counted.
    pub gpu: Gpu,
    /// The step whose host code ran.
    pub step: Step,
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
    /// None where there are too few bodies for two sizes: then counts grow with n².
    small: Option<Launches>,
}

/// What was counted of a kernel's launches at one size, of all threads.
#[derive(Debug, Clone)]
pub(super) struct Launches {
    /// Bodies.
    n: u64,
    /// Each part of the GPU and who has it, in a fixed order, with the clocks that are needed of it at
    /// least. What is reached at most is a matter of the code too; only a second instruction in one
    /// clock makes it more than the peak.
    pub needs: Vec<(&'static str, Owner, f64)>,
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

/// Counts what a force evaluation of `step` with the code of `source` executes and moves on `gpu`
/// for `n` bodies. It is run with fewer, and only the blocks of one multiprocessor are, so that it
/// takes a fraction of a second.
///
/// # Errors
/// The code cannot run on the simulator: an instruction that it does not know, no PTX and no
/// compiler, a fault.
pub fn count(step: &Step, source: &Source, gpu: &Gpu, n: u64) -> Result<Counted, Error> {
    let n = n.max(1);
    let run = |bodies: u64, multiprocessors: f64| -> Result<Vec<Profile>, Error> {
        let mut gpu = gpu.clone();
        gpu.chip.multiprocessors.value = multiprocessors;
        if step.threads.is_one() {
            // A thread alone comes back to a body only after all others: what fits the L1 cache
            // and what does not stays as it is. The threads of a block read a body together.
            let share = bodies as f64 / n as f64;
            gpu.memory.l1_bytes.value = (gpu.memory.l1_bytes.value * share).round();
        }
        let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
        // One of many time steps: the bodies are still there from the last one.
        let watching = Watching { multiprocessors: Some(1), warm_l2: true, ..Watching::default() };
        let bodies = plummer(usize::try_from(bodies).unwrap_or(1), SEED);
        Ok(watch(&mut device, watching, step, source, &bodies, TIME_STEP)?.profiles)
    };
    let all = gpu.chip.multiprocessors.value;
    let resident = match step.threads {
        Threads::One | Threads::Cores => 1,
        Threads::PerBody { block } => {
            // A first block tells what it needs, and so how many are resident.
            let first = run(u64::from(block).min(n), all)?;
            let (registers, shared_bytes) = (first[0].registers, first[0].shared_bytes);
            let grid = n.div_ceil(block.into());
            let most = gpu.residency(block, registers, shared_bytes, grid)?;
            u64::from(most.blocks * block)
        }
        // Who plans launches divides the bodies among the multiprocessors that there are.
        Threads::Planned { .. } => {
            n.div_ceil(all as u64).next_multiple_of(LANES as u64).min(PLANNED_BODIES)
        }
    };
    let sizes = Sizes::new(step.threads, resident, n);
    let (bodies, multiprocessors) = sizes.large;
    let mut parts: Vec<Part> = Vec::new();
    for profile in run(bodies, multiprocessors.unwrap_or(all))? {
        match parts.iter_mut().find(|part| part.kernel == profile.kernel) {
            Some(part) => part.large.add(&profile),
            None => parts.push(Part::new(&profile, bodies)),
        }
    }
    if let Some((bodies, multiprocessors)) = sizes.small {
        for profile in run(bodies, multiprocessors)? {
            let Some(part) = parts.iter_mut().find(|part| part.kernel == profile.kernel) else {
                continue;
            };
            match &mut part.small {
                Some(small) => small.add(&profile),
                None => part.small = Some(Launches::new(&profile, bodies)),
            }
        }
    }
    Ok(Counted { gpu: gpu.clone(), step: *step, parts })
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
    /// For `n` bodies, where the threads of the blocks on one multiprocessor are `resident`.
    fn new(threads: Threads, resident: u64, n: u64) -> Sizes {
        if threads.is_one() {
            let large = n.min(ONE_THREADS_BODIES);
            let small = (large / 2 > 0).then_some((large / 2, 1.0));
            return Sizes { large: (large, Some(1.0)), small };
        }
        let filled = |multiprocessors: u64| (multiprocessors * resident, multiprocessors as f64);
        let most = (INTERACTIONS / resident).min(BODIES) / resident;
        let (large, half) = if n <= most.max(2) * resident {
            ((n, None), n / resident / 2)
        } else {
            let (bodies, multiprocessors) = filled(most.max(2));
            ((bodies, Some(multiprocessors)), most.max(2) / 2)
        };
        Sizes { large, small: (half > 0).then(|| filled(half)) }
    }
}

impl Part {
    fn new(profile: &Profile, bodies: u64) -> Part {
        Part {
            kernel: profile.kernel.clone(),
            registers: profile.registers,
            shared_bytes: profile.shared_bytes,
            large: Launches::new(profile, bodies),
            small: None,
        }
    }

    /// A count at `n` bodies.
    pub(super) fn at(&self, n: u64, of: impl Fn(&Launches) -> f64) -> f64 {
        let (n, large) = (n as f64, self.large.n as f64);
        let all = of(&self.large);
        let of_pairs = all / (large * large);
        let Some(small) = &self.small else { return of_pairs * n * n };
        // count / n = a·n + b.
        let (each, each_of_few) = (all / large, of(small) / small.n as f64);
        let of_pairs = ((each - each_of_few) / (large - small.n as f64)).clamp(0.0, of_pairs);
        let of_bodies = each - of_pairs * large;
        (of_pairs * n + of_bodies) * n
    }

    /// The parts of the GPU, who has them, and the clocks needed of each at `n` bodies.
    pub(super) fn needs(&self, n: u64) -> impl Iterator<Item = (&'static str, Owner, f64)> {
        self.large.needs.iter().enumerate().map(move |(place, &(part, owner, _))| {
            (part, owner, self.at(n, |launches| launches.needs[place].2))
        })
    }
}

impl Launches {
    fn new(profile: &Profile, n: u64) -> Launches {
        let counts = profile.executed();
        let traffic = profile.traffic();
        let events = &profile.events;
        let sectors = traffic.l2_hits + traffic.dram_sectors + traffic.local_sectors;
        let in_arithmetic = lanes(events, &ARITHMETIC);
        let need = |need: Need| (need.part, need.owner, need.clocks / need.reached.max(1.0));
        Launches {
            n,
            needs: profile.needs().into_iter().map(need).collect(),
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
        let more = Launches::new(profile, self.n);
        for ((_, _, clocks), (_, _, others)) in self.needs.iter_mut().zip(more.needs) {
            *clocks += others;
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
    pub fn n(&self) -> u64 {
        self.parts.first().map_or(1, |part| part.large.n)
    }

    /// A count at `n` bodies, of all kernels.
    pub(super) fn at(&self, n: u64, of: impl Fn(&Launches) -> f64) -> f64 {
        self.parts.iter().map(|part| part.at(n, &of)).sum()
    }

    /// The kernel that takes the most time at `n` bodies; the first of equal ones.
    pub(super) fn longest(&self, n: u64) -> Option<&Part> {
        let seconds = |part: &Part| part.at(n, |launches| launches.seconds);
        self.parts
            .iter()
            .reduce(|best, part| if seconds(part) > seconds(best) { part } else { best })
    }

    /// The launches of a kernel for `n` bodies.
    pub(super) fn launches(&self, part: &Part, n: u64) -> impl Iterator<Item = Launch> {
        let bodies = u32::try_from(n).unwrap_or(u32::MAX);
        let multiprocessors = self.gpu.chip.multiprocessors.value as u32;
        let launches = self.step.force_launches(bodies, multiprocessors);
        launches.into_iter().filter(|launch| launch.kernel == part.kernel)
    }

    /// How the blocks of each launch of a kernel for `n` bodies spread over the GPU; nothing of one
    /// of which no block fits.
    pub(super) fn residencies(&self, part: &Part, n: u64) -> Vec<Residency> {
        self.launches(part, n)
            .filter_map(|launch| {
                let (threads, blocks) = (launch.threads, launch.blocks.into());
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
        let per_body = Threads::PerBody { block: 256 };
        let sizes = |resident, n| Sizes::new(per_body, resident, n);
        // Four blocks of 256: 1024 threads, and 1024 · 4096 interactions.
        let four = Sizes { large: (4096, Some(4.0)), small: Some((2048, 2.0)) };
        assert_eq!(sizes(1024, 131_072), four);
        // A full multiprocessor.
        let full = Sizes { large: (4096, Some(2.0)), small: Some((2048, 1.0)) };
        assert_eq!(sizes(2048, 1 << 20), full);
        // Few bodies are run themselves.
        let few = Sizes { large: (1000, None), small: Some((256, 1.0)) };
        assert_eq!(sizes(256, 1000), few);
        assert_eq!(sizes(256, 300), Sizes { large: (300, None), small: None });
        let one = |n| Sizes::new(Threads::One, 1, n);
        assert_eq!(one(8192), Sizes { large: (512, Some(1.0)), small: Some((256, 1.0)) });
        assert_eq!(one(1), Sizes { large: (1, Some(1.0)), small: None });
    }

    #[test]
    fn what_grows_with_pairs_and_with_bodies_is_told_apart() {
        let launches = |n: u64| Launches {
            n,
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
            kernel: "force".to_owned(),
            registers: None,
            shared_bytes: 0,
            large: launches(1000),
            small,
        };
        let counted = |parts| Counted {
            gpu: Gpu::named("h200").expect("a GPU that is known"),
            step: crate::limits::tests::STEP,
            parts,
        };
        let both = counted(vec![part(Some(launches(500)))]);
        assert!((both.at(10_000, |launches| launches.fp32_flop) / 300.5e6 - 1.0).abs() < 1e-9);
        assert!((both.at(10_000, |launches| launches.instructions) / 7e4 - 1.0).abs() < 1e-9);
        assert_eq!(both.at(10_000, |launches| launches.shared_bytes), 0.0);
        let one = counted(vec![part(None)]);
        assert!((one.at(2000, |launches| launches.special) / 4e6 - 1.0).abs() < 1e-9);
        let two = counted(vec![part(None), part(Some(launches(500)))]);
        assert!((two.at(2000, |launches| launches.special) / 8e6 - 1.0).abs() < 1e-9);
    }
}
