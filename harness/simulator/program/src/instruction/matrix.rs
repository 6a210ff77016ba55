//! What a whole warp does with matrices.

use crate::registers::Register;
use ptx::Space;

/// `ldmatrix`, `stmatrix`: 8×8 matrices of 16-bit numbers in shared memory.
#[derive(Debug, Clone, Copy)]
pub struct MatrixRows {
    /// The space that the instruction names.
    pub space: Space,
    /// Matrices: 1, 2 or 4. Lane i has the address of row i modulo 8 of matrix i / 8.
    pub count: u8,
    /// `.trans`
    pub transposed: bool,
    /// A register for each matrix.
    pub data: [u16; 4],
    /// The register with the address.
    pub address: Register,
    /// Bytes that are added to it.
    pub plus: i64,
}

impl MatrixRows {
    /// Bytes of a row.
    pub const ROW: u64 = 16;

    /// The lanes whose addresses count.
    #[inline]
    pub fn lanes(&self) -> u32 {
        u32::MAX >> (32 - 8 * u32::from(self.count))
    }
}

/// An operand of a 16×8 product that lies in shared memory as a descriptor says (PTX ISA, "Shared Memory Matrix Layout",
/// "Matrix Descriptor Format").
#[derive(Debug, Clone, Copy)]
pub struct Fragment {
    /// The register with the descriptor.
    pub descriptor: u16,
    /// It is a, of which each warp of a group of four has 16 rows; otherwise b.
    pub is_first: bool,
    /// Its first column, of b.
    pub first: u16,
    /// The width of an element.
    pub bits: u8,
    /// Rows of a, or columns of b, are consecutive in memory; otherwise elements along k.
    pub transposed: bool,
    /// Elements get the other sign.
    pub negates: bool,
    /// Its registers, as those of `mma`.
    pub data: [u16; 8],
    /// How many there are.
    pub count: u8,
}

impl Fragment {
    /// The signs of a register's elements.
    pub fn signs(&self) -> u32 {
        match self.bits {
            8 => 0x8080_8080,
            16 => 0x8000_8000,
            _ => 1 << 31,
        }
    }
}

/// What a whole warp does with matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// Index into `Program::products`.
    Multiply(u32),
    /// Register `a` transposed into `d`.
    Transpose,
    /// Index into `Program::matrix_rows`.
    Load(u32),
    /// Index into `Program::matrix_rows`.
    Store(u32),
    /// Index into `Program::fragments`.
    Fragment(u32),
    /// Nothing but being there: what follows is the same as what single lanes do.
    Together,
}
