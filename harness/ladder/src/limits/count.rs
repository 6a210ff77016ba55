//! What a force evaluation executes and moves, for any number of bodies.

use device::{CodeRoute, Error, Profile, SimulatorDevice, Source, Watching};
use simt::machine::MachineKind;
use simt::model::{Gpu, Need, Residency};
use simt::{Class, Events};

use super::watched::watch;
use crate::nbody::{SEED, plummer};
use crate::{Step, Threads};

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
    /// Registers of a thread; none where they are not known.
    pub registers: Option<u32>,
    /// Shared memory of a block in bytes.
    shared_bytes: u32,
    large: Launch,
    /// None where there are too few bodies for two sizes: then counts grow with n².
    small: Option<Launch>,
}

/// What was counted at one size, of all threads.
#[derive(Debug, Clone)]
pub(super) struct Launch {
    /// Bodies.
    n: u64,
    /// What each part of the GPU needs, in a fixed order.
    pub needs: Vec<Need>,
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
    let run = |bodies: u64, multiprocessors: f64| -> Result<Profile, Error> {
        let mut gpu = gpu.clone();
        gpu.chip.multiprocessors.value = multiprocessors;
        if step.threads == Threads::One {
            // A thread alone comes back to a body only after all others: what fits the L1 cache
            // and what does not stays as it is. The threads of a block read a body together.
            let share = bodies as f64 / n as f64;
            gpu.memory.l1_bytes.value = (gpu.memory.l1_bytes.value * share).round();
        }
        let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
        // One of many time steps: the bodies are still there from the last one.
        let watching = Watching { multiprocessors: Some(1), warm_l2: true, ..Watching::default() };
        let bodies = plummer(usize::try_from(bodies).unwrap_or(1), SEED);
        Ok(watch(&mut device, watching, step, source, &bodies, TIME_STEP)?.profile)
    };
    let all = gpu.chip.multiprocessors.value;
    // A first block tells what it needs, and so how many are resident.
    let block = u64::from(step.threads.launch(1).1);
    let first = run(block.min(n), all)?;
    let (registers, shared_bytes) = (first.registers, first.shared_bytes);
    let grid = n.div_ceil(block);
    let resident = match step.threads {
        Threads::One | Threads::Cores => 1,
        Threads::PerBody { .. } => {
            let most = gpu.residency(block as u32, registers, shared_bytes, grid)?;
            u64::from(most.blocks)
        }
    };
    let sizes = Sizes::new(step.threads, resident * block, n);
    let small = sizes.small.map(|(bodies, multiprocessors)| {
        run(bodies, multiprocessors).map(|profile| Launch::new(&profile, bodies))
    });
    let (bodies, multiprocessors) = sizes.large;
    let large = Launch::new(&run(bodies, multiprocessors.unwrap_or(all))?, bodies);
    let (gpu, step, small) = (gpu.clone(), *step, small.transpose()?);
    Ok(Counted { gpu, step, registers, shared_bytes, large, small })
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
        if threads == Threads::One {
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

impl Launch {
    fn new(profile: &Profile, n: u64) -> Launch {
        let counts = profile.executed();
        let traffic = profile.traffic();
        let events = &profile.events;
        let sectors = traffic.l2_hits + traffic.dram_sectors + traffic.local_sectors;
        let in_arithmetic = lanes(events, &ARITHMETIC);
        Launch {
            n,
            needs: profile.needs(),
            fp32_flop: counts.fp32.flop() * in_arithmetic,
            special: counts[MachineKind::Mufu] * in_arithmetic,
            instructions: counts.total * lanes(events, &Class::ALL),
            global_bytes: traffic.global_bytes as f64,
            l2_bytes: (sectors * SECTOR) as f64,
            shared_bytes: traffic.shared_bytes as f64,
            warp_clocks: profile.warp_clocks() * counts.warps,
        }
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
        self.large.n
    }

    /// A count at `n` bodies.
    pub(super) fn at(&self, n: u64, of: impl Fn(&Launch) -> f64) -> f64 {
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

    /// The parts of the GPU, and what each needs at `n` bodies.
    pub(super) fn needs(&self, n: u64) -> impl Iterator<Item = Need> {
        self.large.needs.iter().enumerate().map(move |(place, need)| Need {
            clocks: self.at(n, |launch| launch.needs[place].clocks),
            ..*need
        })
    }

    /// How the blocks of a launch for `n` bodies spread over the GPU; none where no block fits.
    pub(super) fn residency(&self, n: u64) -> Option<Residency> {
        let bodies = u32::try_from(n).unwrap_or(u32::MAX);
        let (blocks, threads) = self.step.threads.launch(bodies);
        let spread = self.gpu.residency(threads, self.registers, self.shared_bytes, blocks.into());
        spread.ok()
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
        let launch = |n: u64| Launch {
            n,
            needs: Vec::new(),
            fp32_flop: 3.0 * (n * n) as f64 + 50.0 * n as f64,
            special: (n * n) as f64,
            instructions: 7.0 * n as f64,
            global_bytes: 0.0,
            l2_bytes: 0.0,
            shared_bytes: 0.0,
            warp_clocks: 0.0,
        };
        let counted = |small| Counted {
            gpu: Gpu::named("h200").expect("a GPU that is known"),
            step: crate::limits::tests::STEP,
            registers: None,
            shared_bytes: 0,
            large: launch(1000),
            small,
        };
        let both = counted(Some(launch(500)));
        assert!((both.at(10_000, |launch| launch.fp32_flop) / 300.5e6 - 1.0).abs() < 1e-9);
        assert!((both.at(10_000, |launch| launch.instructions) / 7e4 - 1.0).abs() < 1e-9);
        assert_eq!(both.at(10_000, |launch| launch.shared_bytes), 0.0);
        let one = counted(None);
        assert!((one.at(2000, |launch| launch.special) / 4e6 - 1.0).abs() < 1e-9);
    }
}
