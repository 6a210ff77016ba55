//! Machine instructions of a launch, by kind, and what one of its warps waits for.

use std::ops::{AddAssign, Index, IndexMut};

use super::{MachineKind, Wait};

/// Machine instructions that the warps of a launch issue.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineCounts {
    /// All of them.
    pub total: f64,
    /// By kind, in the order of [`MachineKind::ALL`].
    pub kinds: [f64; MachineKind::COUNT],
    /// What the average warp waits for, alone on its multiprocessor.
    pub chain: Chain,
    /// Warps of the launch.
    pub warps: f64,
    /// What the counts rest on.
    pub basis: Basis,
}

/// What machine counts rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The kernel's machine code.
    MachineCode,
    /// The measured expansion of PTX instructions.
    Expansion,
}

/// The way of one warp through a launch, if no other warp were there: issued instructions, and waits between them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Chain {
    /// Instructions issued, one clock each at least.
    pub issues: f64,
    /// Waits by kind, in the order of [`Wait::ALL`], at their nominal lengths: 0.5 is a wait of which half was hidden
    /// behind other instructions.
    pub waits: [f64; Wait::COUNT],
}

impl Chain {
    /// Clocks that the way takes, where `clocks` says how long a wait of each kind is.
    pub fn clocks(&self, clocks: impl Fn(Wait) -> f64) -> f64 {
        let waits: f64 =
            Wait::ALL.into_iter().zip(self.waits).map(|(wait, n)| n * clocks(wait)).sum();
        self.issues + waits
    }

    /// The number of waits of a kind.
    pub fn wait(&self, wait: Wait) -> f64 {
        self.waits[wait as usize]
    }

    /// The same way, gone `times` times.
    pub fn times(mut self, times: f64) -> Chain {
        self.issues *= times;
        self.waits.iter_mut().for_each(|wait| *wait *= times);
        self
    }
}

impl AddAssign for Chain {
    fn add_assign(&mut self, other: Chain) {
        self.issues += other.issues;
        for (sum, more) in self.waits.iter_mut().zip(other.waits) {
            *sum += more;
        }
    }
}

impl MachineCounts {
    pub(super) fn new(basis: Basis, warps: f64) -> MachineCounts {
        let kinds = [0.0; MachineKind::COUNT];
        MachineCounts { total: 0.0, kinds, chain: Chain::default(), warps, basis }
    }

    /// Adds `count` instructions of a kind, issued by all warps together.
    pub(super) fn add(&mut self, kind: MachineKind, count: f64) {
        self[kind] += count;
        self.total += count;
    }

    /// Loads from shared memory, of any width.
    pub fn shared_loads(&self) -> f64 {
        self[MachineKind::LoadShared]
            + self[MachineKind::LoadShared64]
            + self[MachineKind::LoadShared128]
    }
}

impl Index<MachineKind> for MachineCounts {
    type Output = f64;

    fn index(&self, kind: MachineKind) -> &f64 {
        &self.kinds[kind as usize]
    }
}

impl IndexMut<MachineKind> for MachineCounts {
    fn index_mut(&mut self, kind: MachineKind) -> &mut f64 {
        &mut self.kinds[kind as usize]
    }
}
