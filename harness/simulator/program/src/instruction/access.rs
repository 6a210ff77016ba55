//! What loads, stores, atomics and copies need to know.

use crate::registers::{File, Register};
use ptx::Space;
use semantics::half::Format;

/// The type of one element in memory.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    U8,
    I8,
    U16,
    I16,
    B32,
    /// Sign-extended into a 64-bit register.
    I32,
    B64,
}

impl Cell {
    /// Size of an element in memory, bytes.
    #[inline(always)]
    pub fn bytes(self) -> u64 {
        match self {
            Cell::U8 | Cell::I8 => 1,
            Cell::U16 | Cell::I16 => 2,
            Cell::B32 | Cell::I32 => 4,
            Cell::B64 => 8,
        }
    }
}

/// A load's or store's particulars.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// The space that the instruction names.
    pub space: Space,
    /// The type of an element.
    pub cell: Cell,
    /// Elements: 1, 2, 4 or 8.
    pub count: u8,
    /// The file of the data registers.
    pub file: File,
    /// Data registers; the first `count` are used.
    pub data: [u16; 8],
    /// Bit k: element k is `_`, not kept.
    pub dropped: u8,
    /// The register with the address.
    pub address: Register,
    /// Bytes that are added to it.
    pub plus: i64,
    /// The address is the same in all lanes, whatever they compute.
    pub uniform: bool,
    /// It is never torn, and may wait for another thread's store: that counts towards giving others a turn.
    pub strong: bool,
    /// `.cg`: not through L1.
    pub past_l1: bool,
    /// How it orders others.
    pub order: Order,
    /// For whose threads it is strong, and ordered; without meaning for a weak access.
    pub scope: Scope,
}

impl Access {
    /// Where a load's values go; those of a store come from there.
    #[inline]
    pub fn results(&self) -> impl Iterator<Item = Register> {
        let all = self.data.into_iter().take(self.count.into());
        all.map(|index| Register { file: self.file, index })
    }
}

/// The threads for which a strong access or a fence counts (PTX ISA, "Scope"): those of the block, of the cluster, of the
/// GPU, or all, the host's among them.
#[expect(missing_docs, reason = "named as PTX names the scopes")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scope {
    Cta,
    Cluster,
    #[default]
    Gpu,
    Sys,
}

impl Scope {
    /// That of a modifier.
    pub fn parse(word: &str) -> Option<Scope> {
        Some(match word {
            "cta" => Scope::Cta,
            "cluster" => Scope::Cluster,
            "gpu" | "gl" => Scope::Gpu,
            "sys" => Scope::Sys,
            _ => return None,
        })
    }

    /// Whether it includes threads of other blocks: every block is a cluster here.
    #[inline]
    pub fn spans_blocks(self) -> bool {
        self >= Scope::Gpu
    }
}

/// How an access orders others, by its own modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    /// `.acquire`, `.acq_rel`: what comes after it sees what was released.
    pub acquire: bool,
    /// `.release`, `.acq_rel`: who acquires sees what came before it.
    pub release: bool,
}

/// An atomic's operation.
#[expect(missing_docs, reason = "named as PTX names the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicOperation {
    And,
    Or,
    Xor,
    Exchange,
    Add,
    Increment,
    Decrement,
    Min,
    Max,
    CompareExchange,
    /// Of an `mbarrier`: arrivals in the low half of the operand, bytes to come in the high half.
    Arrive,
    /// The same by threads that will not take part any more.
    ArriveAndDrop,
    /// So many bytes have come.
    Complete,
}

/// An atomic's value type.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomicType {
    U32,
    I32,
    F32,
    U64,
    I64,
    F64,
    /// Compare-and-swap and exchange only.
    U16,
    /// A number of 16 bits.
    Half(Format),
    /// Two of them, each atomic by itself.
    Halves(Format),
    /// The state of an `mbarrier`.
    Barrier,
    /// 16 bytes as one value, which two elements make; compare-and-swap and exchange only.
    Wide,
}

impl AtomicType {
    /// Size of the value in memory, bytes; of `Wide`, that of each of its two elements.
    #[inline]
    pub fn bytes(self) -> u64 {
        match self {
            AtomicType::U16 | AtomicType::Half(_) => 2,
            AtomicType::U32 | AtomicType::I32 | AtomicType::F32 | AtomicType::Halves(_) => 4,
            AtomicType::U64
            | AtomicType::I64
            | AtomicType::F64
            | AtomicType::Barrier
            | AtomicType::Wide => 8,
        }
    }
}

/// An atomic's particulars.
#[derive(Debug, Clone, Copy)]
pub struct Atomic {
    /// The space that the instruction names.
    pub space: Space,
    /// The operation, such as addition or exchange.
    pub operation: AtomicOperation,
    /// Type of the value in memory.
    pub value: AtomicType,
    /// Elements of a vector `red`.
    pub count: u8,
    /// Registers of the operand's elements.
    pub data: [u16; 8],
    /// The second operand of `cas`, in two registers where it has 16 bytes.
    pub other: [u16; 2],
    /// Where the old values go; `red` has none.
    pub result: Option<[u16; 8]>,
    /// The register with the address.
    pub address: Register,
    /// Bytes that are added to it.
    pub plus: i64,
    /// How it orders others.
    pub order: Order,
    /// For whose threads it is atomic, and ordered.
    pub scope: Scope,
    /// A register with one bit for each rank of the cluster: it is done in these blocks, at the address that corresponds to
    /// its own.
    pub ranks: Option<u16>,
}

impl Atomic {
    /// Where the old values go.
    #[inline]
    pub fn results(&self) -> impl Iterator<Item = Register> {
        let file = if self.value.bytes() == 8 { File::Doubles } else { File::Words };
        let all = self.result.into_iter().flatten().take(self.count.into());
        all.map(move |index| Register { file, index })
    }
}

/// `cp.async`: from global to shared memory, there when it is waited for.
#[derive(Debug, Clone, Copy)]
pub struct AsyncCopy {
    /// Register with the address in shared memory.
    pub to: Register,
    /// Bytes that are added to it.
    pub to_plus: i64,
    /// Register with the address in global memory.
    pub from: Register,
    /// Bytes that are added to it.
    pub from_plus: i64,
    /// Bytes for each lane: 4, 8 or 16.
    pub bytes: u64,
    /// `.cg`: not through L1.
    pub past_l1: bool,
    /// How much of it is read.
    pub part: Part,
}

/// How much of a copy is read; the rest is written as 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All bytes.
    Whole,
    /// As many bytes as a register of 32 bits says.
    Bytes(u16),
    /// Nothing where a predicate is true.
    Unless(u16),
}

/// `cp.async.bulk`, `cp.reduce.async.bulk`: between global and shared memory, in one go.
#[derive(Debug, Clone, Copy)]
pub struct BulkCopy {
    /// Space, register and offset.
    pub to: (Space, Register, i64),
    /// Space, register and offset.
    pub from: (Space, Register, i64),
    /// The register with the number of bytes.
    pub bytes: u16,
    /// `.multicast::cluster`: a register with one bit for each rank of the cluster that gets a copy.
    pub ranks: Option<u16>,
    /// `cp.reduce.async.bulk`: what combines elements with those that are there.
    pub reduces: Option<(AtomicOperation, AtomicType)>,
}

/// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`: a box of a tensor.
#[derive(Debug, Clone, Copy)]
pub struct TensorCopy {
    /// In shared memory: space, register and offset.
    pub shared: (Space, Register, i64),
    /// The register with the generic address of the map.
    pub map: u16,
    /// Registers with the coordinates of the box, the innermost first.
    pub coordinates: [u16; 5],
    /// The register that gets the number of bytes of the box.
    pub bytes: u16,
    /// `.multicast::cluster`: a register with one bit for each rank of the cluster that gets a copy.
    pub ranks: Option<u16>,
    /// From shared to global memory.
    pub stores: bool,
    /// What combines elements with those that are there.
    pub reduces: Option<AtomicOperation>,
}

/// What becomes of a warp's `wgmma` products, or of a thread's bulk copies to global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Groups {
    /// Those since the last group are one.
    Close,
    /// All groups are waited for but so many, the last ones.
    Wait(u32),
}

/// What threads do about copies for which they do not wait at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copying {
    /// Index into `Program::copies`.
    Begin(u32),
    /// Index into `Program::bulk_copies`.
    Bulk(u32),
    /// Index into `Program::tensor_copies`.
    Tensor(u32),
    /// Those begun since the last time are a group.
    Commit,
    /// Waits until no more than so many groups, the latest, are under way; without a number, for all copies.
    Wait(Option<u32>),
    /// The same for bulk copies to global memory, which are done where they begin.
    Sent(Groups),
}
