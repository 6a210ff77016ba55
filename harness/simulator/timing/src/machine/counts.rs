//! Machine instructions of a launch, by kind, and what one of its warps waits for.

use std::ops::{AddAssign, Index, IndexMut};

use super::kind::{MachineKind, Wait};
use events::Events;
use program::group_columns;

/// Machine instructions that the warps of a launch issue.
#[derive(Debug, Clone, PartialEq)]
pub struct MachineCounts {
    /// Instructions of all kinds.
    pub total: f64,
    /// By kind, in the order of [`MachineKind::ALL`].
    pub kinds: [f64; MachineKind::COUNT],
    /// Those of kind [`MachineKind::Fp32`] by operation.
    pub fp32: Fp32,
    /// The work of those of kind [`MachineKind::Tensor`], in products of 16×16 and 16×8 numbers of 16 bits: 2048
    /// multiply-adds. One of TF32 numbers, which take twice as long, counts twice.
    pub tensor: f64,
    /// The same of those that four warps do together (`wgmma`), which fill the tensor cores better.
    pub group_tensor: f64,
    /// Of those of kind [`MachineKind::IntegerMul`] the ones that make a product of 64 bits, or its upper half.
    pub wide_products: f64,
    /// Reads of 32-bit registers by arithmetic on doubles and on halves; see `register_reads`.
    pub register_reads: f64,
    /// What the average warp waits for, alone on its multiprocessor.
    pub chain: Chain,
    /// Warps of the launch.
    pub warps: f64,
    /// What the counts rest on.
    pub basis: Basis,
}

/// Single-precision arithmetic by operation. A packed instruction counts for each of its two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Fp32 {
    /// Sums and differences.
    pub add: f64,
    /// Products.
    pub mul: f64,
    /// Fused multiply-adds.
    pub fma: f64,
}

impl Fp32 {
    /// Floating-point operations: a multiply-add is two.
    pub fn flop(&self) -> f64 {
        self.add + self.mul + 2.0 * self.fma
    }

    /// What one machine instruction does, by its opcode: "FFMA", "FADD.FTZ", "FMUL2".
    pub(super) fn of_opcode(opcode: &str) -> Fp32 {
        let base = opcode.split('.').next().unwrap_or_default();
        let numbers = if base.ends_with('2') && !base.starts_with('H') { 2.0 } else { 1.0 };
        match base.get(..4) {
            Some("FFMA") => Fp32 { fma: numbers, ..Fp32::default() },
            Some("FMUL") => Fp32 { mul: numbers, ..Fp32::default() },
            Some("FADD" | "FSWZ") => Fp32 { add: numbers, ..Fp32::default() },
            _ => Fp32::default(),
        }
    }

    /// The same, done `times` times.
    pub(super) fn times(self, times: f64) -> Fp32 {
        Fp32 { add: self.add * times, mul: self.mul * times, fma: self.fma * times }
    }
}

impl AddAssign for Fp32 {
    fn add_assign(&mut self, other: Fp32) {
        self.add += other.add;
        self.mul += other.mul;
        self.fma += other.fma;
    }
}

/// The work of a matrix product by its opcode, of machine code ("HMMA.1688.F32.TF32") or PTX; see
/// [`MachineCounts::tensor`].
pub(super) fn tensor_work(opcode: &str) -> f64 {
    let has = |word: &str| opcode.split('.').any(|part| part == word);
    // The four products of m8n8k4 are as many as those of m16n8k8.
    let quarters = has("m8n8k4") && has("f16");
    let depth = if has("1688") || has("m16n8k8") || quarters {
        8.0
    } else if has("1684") || has("m16n8k4") {
        4.0
    } else {
        16.0
    };
    // Of a sparse factor half of the depth is multiplied.
    let is_short = ["16816", "1688", "m16n8k16", "m16n8k8"].into_iter().any(has);
    let density = if has_sparse(opcode) && is_short { 0.5 } else { 1.0 };
    let passes = if has("TF32") || has("tf32") { 2.0 } else { 1.0 };
    depth / 16.0 * density * passes
}

/// Whether a matrix product's first factor is sparse.
fn has_sparse(opcode: &str) -> bool {
    opcode.split(['.', ':']).any(|part| part == "SP" || part == "sp")
}

/// The same of a product of four warps, for each of them; none for other instructions. All types take as long as 16 terms
/// of 16 bits.
pub(super) fn group_work(opcode: &str) -> Option<f64> {
    let of_warp = |columns: u32| f64::from(16 * 16 * columns);
    group_columns(opcode).map(|columns| of_warp(columns) / OF_PRODUCT)
}

/// Multiply-adds of a product of 16×16 and 16×8 numbers.
pub const OF_PRODUCT: f64 = 16.0 * 16.0 * 8.0;

/// Whether an instruction of kind [`MachineKind::IntegerMul`] makes a product of 64 bits, or its upper half: these take
/// the pipe twice as long (measured on an H200: 31.7 lanes per clock and multiprocessor, 62.9 for a lower half).
pub(super) fn is_wide_product(opcode: &str) -> bool {
    opcode.split('.').skip(1).any(|word| matches!(word, "WIDE" | "HI"))
}

/// Registers of 32 bits that a lane reads for arithmetic on doubles or halves, in turns of two registers from two banks.
/// Other arithmetic finds one of three operands in the constant bank or where the instruction before had it (`.reuse`);
/// what it reads is not counted.
pub(super) fn register_reads(opcode: &str) -> f64 {
    match opcode.split('.').next().unwrap_or_default() {
        "DFMA" => 6.0,
        "DADD" | "DMUL" | "DSETP" | "HFMA2" => 4.0,
        "HADD2" | "HMUL2" => 2.0,
        _ => 0.0,
    }
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
        let (fp32, chain) = (Fp32::default(), Chain::default());
        MachineCounts {
            total: 0.0,
            kinds,
            fp32,
            tensor: 0.0,
            group_tensor: 0.0,
            wide_products: 0.0,
            register_reads: 0.0,
            chain,
            warps,
            basis,
        }
    }

    /// Adds `count` instructions of a kind, issued by all warps together.
    pub(super) fn add(&mut self, kind: MachineKind, count: f64) {
        self[kind] += count;
        self.total += count;
    }

    /// Adds the work of so many instructions of kind [`MachineKind::Tensor`], by their opcode of machine code or PTX.
    pub(super) fn add_products(&mut self, opcode: &str, count: f64) {
        match group_work(opcode) {
            Some(work) => self.group_tensor += work * count,
            None => self.tensor += tensor_work(opcode) * count,
        }
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

/// Warps of a launch: each runs the first block once.
pub(super) fn warps(events: &Events) -> f64 {
    events.blocks.first().map_or(1.0, |block| (block.executions as f64).max(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_of_a_matrix_product_follows_from_its_shape() {
        for (opcode, ptx, work) in [
            ("HMMA.16816.F32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 1.0),
            ("HMMA.16816.F32.BF16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 1.0),
            ("HMMA.1688.F32", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 0.5),
            ("HMMA.1688.F32.TF32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 1.0),
            ("HMMA.1684.F32.TF32", "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 0.5),
            ("HMMA.SP.16832.F32", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 1.0),
            ("HMMA.SP.16816.F32", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 0.5),
            (
                "HMMA.SP.16816.F32.TF32",
                "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
                1.0,
            ),
        ] {
            assert_eq!((tensor_work(opcode), tensor_work(ptx)), (work, work), "{opcode}");
        }
    }

    #[test]
    fn four_warps_share_the_work_of_their_product() {
        let ptx = "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16";
        assert_eq!(
            (group_work("HGMMA.64x256x16.F32.BF16"), group_work(ptx)),
            (Some(32.0), Some(32.0))
        );
        assert_eq!(group_work("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8"), Some(1.0));
        assert_eq!(
            (group_work("HMMA.16816.F32"), group_work("wgmma.fence.sync.aligned")),
            (None, None)
        );
    }

    #[test]
    fn products_of_64_bits_and_reads_of_registers_are_known_by_their_opcodes() {
        assert!(is_wide_product("IMAD.WIDE.U32") && is_wide_product("IMAD.HI.U32"));
        assert!(!is_wide_product("IMAD.MOV.U32") && !is_wide_product("IMAD"));
        let reads = ["DFMA", "DADD", "HFMA2.MMA", "HADD2.F32", "FFMA"].map(register_reads);
        assert_eq!(reads, [6.0, 4.0, 4.0, 2.0, 0.0]);
    }

    #[test]
    fn operations_are_known_by_their_opcodes() {
        let flop = |opcode: &str| Fp32::of_opcode(opcode).flop();
        assert_eq!((flop("FFMA"), flop("FMUL.FTZ"), flop("FADD")), (2.0, 1.0, 1.0));
        assert_eq!((flop("FFMA2"), flop("FADD2.FTZ"), flop("FMUL32I")), (4.0, 2.0, 1.0));
        assert_eq!(
            (flop("HFMA2.MMA"), flop("MUFU.RSQ"), flop("FSETP.GE"), flop("")),
            (0.0, 0.0, 0.0, 0.0)
        );
    }
}
