//! What the launches of a kernel execute and move at one size, and so at any.

use device::Profile;
use simt::machine::MachineKind;
use simt::model::Need;
use simt::{Class, Events};

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// Lanes of a warp.
pub(super) const LANES: f64 = 32.0;

/// What the launches of one kernel execute and move.
#[derive(Debug, Clone)]
pub(in crate::limits) struct Part {
    /// The kernel.
    pub kernel: String,
    /// Registers of a thread; none where they are not known.
    pub registers: Option<u32>,
    /// Shared memory of a block in bytes.
    pub shared_bytes: u32,
    pub(super) large: Launches,
    /// None where the size is too small for two: then counts grow with the work.
    pub(super) small: Option<Launches>,
}

/// What was counted of a kernel's launches at one size, of all threads.
#[derive(Debug, Clone)]
pub(in crate::limits) struct Launches {
    /// Problem size `n` at which they were counted.
    pub n: u64,
    /// What counts grow with, there: the work, and what grows less.
    pub basis: [f64; 2],
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
    /// Of these, bytes that L2 had from memory or has to hand on to it.
    pub dram_bytes: f64,
    /// Bytes read from or written to shared memory.
    pub shared_bytes: f64,
    /// Clocks that each warp takes alone, summed over the warps.
    pub warp_clocks: f64,
    /// Clocks that all blocks take for their accesses to memory and to each other's registers.
    pub access_clocks: f64,
    /// How many times as much the longest warp has to do as the average one.
    pub longest_warp: f64,
}

impl Part {
    pub(super) fn new(profile: &Profile, n: u64, basis: [f64; 2]) -> Part {
        Part {
            kernel: profile.kernel.clone(),
            registers: profile.registers,
            shared_bytes: profile.shared_bytes,
            large: Launches::new(profile, n, basis),
            small: None,
        }
    }

    /// A count where what counts grow with is `basis`.
    pub(super) fn at(&self, basis: [f64; 2], of: impl Fn(&Launches) -> f64) -> f64 {
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
    pub(super) fn new(profile: &Profile, n: u64, basis: [f64; 2]) -> Launches {
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
            dram_bytes: ((traffic.dram_sectors + traffic.dram_fills) * SECTOR) as f64,
            shared_bytes: traffic.shared_bytes as f64,
            warp_clocks: profile.warp_clocks() * counts.warps,
            access_clocks: profile.access_clocks(),
            longest_warp: profile.longest_warp(),
        }
    }

    /// Counts another launch as well.
    pub(super) fn add(&mut self, profile: &Profile) {
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
        self.dram_bytes += more.dram_bytes;
        self.shared_bytes += more.shared_bytes;
        self.warp_clocks += more.warp_clocks;
        self.access_clocks += more.access_clocks;
        self.longest_warp = self.longest_warp.max(more.longest_warp);
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
