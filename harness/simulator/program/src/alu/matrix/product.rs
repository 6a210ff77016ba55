//! What is multiplied, and which registers hold it.

/// The numbers that a product with sums of 32 bits multiplies.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    F16,
    Bf16,
    Tf32,
}

/// Numbers of 8 bits.
#[expect(missing_docs, reason = "named as PTX names the types")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Byte {
    E4m3,
    E5m2,
}

/// A type of integers of 4 or 8 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer {
    /// 1, 4 or 8.
    pub bits: u8,
    /// `.s`, not `.u`.
    pub signed: bool,
}

impl Integer {
    /// An element of a register.
    pub(super) fn value(self, word: u32, index: usize) -> i32 {
        let bits = usize::from(self.bits);
        let top = word << (32 - bits * (index + 1));
        if self.signed { top as i32 >> (32 - bits) } else { (top >> (32 - bits)) as i32 }
    }
}

/// How the operands lie, and what the sums are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quarters {
    /// Whether a lane has four neighbours of a row of a, or of a column.
    pub a_by_row: bool,
    /// Whether a lane has four neighbours of a row of b, or of a column.
    pub b_by_row: bool,
    /// Whether c holds numbers of 16 bits.
    pub c_halves: bool,
    /// Whether d holds numbers of 16 bits.
    pub d_halves: bool,
}

/// What is multiplied, and what the sums are.
#[expect(missing_docs, reason = "the variants' comments are of their fields too")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factors {
    /// With sums in `f32`.
    Single(Element),
    /// `f16` with sums in `f16`.
    Half,
    /// `f16`, four products at once.
    Quarters(Quarters),
    /// The types of a and b, with sums in `f32` or in `f16`. `native`: `wgmma`, for which the tensor cores multiply bytes;
    /// the H100's `mma` makes halves of them.
    Bytes { a: Byte, b: Byte, halves: bool, native: bool },
    /// `f64` with sums in `f64`.
    Double,
    /// The types of a and b, with sums in `s32`, which stop at its ends or wrap.
    Integer { a: Integer, b: Integer, saturate: bool },
    /// Bits: how many are set in both, or in one only.
    Bits { both: bool },
}

impl Factors {
    /// The width of an element of a and b.
    pub fn bits(self) -> usize {
        match self {
            Factors::Single(Element::Tf32) => 32,
            Factors::Single(_) | Factors::Half | Factors::Quarters(_) => 16,
            Factors::Bytes { .. } => 8,
            Factors::Double => 64,
            Factors::Integer { a, .. } => usize::from(a.bits),
            Factors::Bits { .. } => 1,
        }
    }

    /// Elements of a and b in a register.
    pub fn packed(self) -> usize {
        (32 / self.bits()).max(1)
    }

    /// Elements of a chunk of a sparse factor, of which half are in registers.
    pub fn chunk(self) -> usize {
        match self.bits() {
            32 => 2,
            4 => 8,
            _ => 4,
        }
    }

    /// Whether the sums are numbers of 16 bits.
    pub fn sums_halves(self) -> bool {
        matches!(self, Factors::Half | Factors::Bytes { halves: true, .. })
    }
}

/// Where the metadata of a sparse factor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sparsity {
    /// The register with 8 indices of 4 bits.
    pub metadata: u16,
    /// Which threads of four neighbours have the metadata of all, if not all have.
    pub selector: u8,
}

impl Sparsity {
    /// Indices of a row: one for each chunk.
    fn indices(factors: Factors, depth: usize) -> usize {
        depth / factors.chunk()
    }

    /// How many selectors there are: 16 rows have 2 indices for each of four threads' 8.
    pub fn selectors(factors: Factors, depth: usize) -> usize {
        16 / Sparsity::indices(factors, depth)
    }
}

/// `mma.sync`: rows×k times k×8, plus rows×8.
#[derive(Debug, Clone, Copy)]
pub struct Product {
    /// Types of the factors and of the sums.
    pub factors: Factors,
    /// Rows of a, c and d: 8 or 16.
    pub rows: usize,
    /// k: columns of the first operand and rows of the second.
    pub depth: usize,
    /// Registers of the result.
    pub d: [u16; 8],
    /// Of these registers as many are used as the depth asks for.
    pub a: [u16; 8],
    /// Registers of the second factor.
    pub b: [u16; 4],
    /// Registers of what is added.
    pub c: [u16; 8],
    /// Half of a's elements are zero and in no register.
    pub sparsity: Option<Sparsity>,
}

impl Product {
    /// Registers of the operands d and c, a, b in each lane.
    pub fn registers(factors: Factors, rows: usize, depth: usize) -> [usize; 3] {
        let along = depth / (4 * factors.packed());
        let sums = if factors.sums_halves() { 1 } else { 2 };
        [sums * rows / 8, along * rows / 8, along]
    }

    /// Registers of its operands d and c, a, b in each lane. A sparse a has half as many.
    pub fn counts(&self) -> [usize; 3] {
        let [sums, a, b] = Product::registers(self.factors, self.rows, self.depth);
        [sums, if self.sparsity.is_some() { a / 2 } else { a }, b]
    }
}
