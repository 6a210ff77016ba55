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
    /// Nothing but being there: what follows is the same as what single lanes do.
    Together,
}
