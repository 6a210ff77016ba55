//! How finely accesses are recorded.

use std::ops::Range;

/// Bytes of a cell: of a word, or one where a kernel accesses less than a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    Byte,
    Word,
}

impl Grain {
    /// Bytes of a cell.
    pub(super) fn bytes(self) -> u64 {
        1 << self.shift()
    }

    /// Cells of so many bytes.
    pub(super) fn count(self, bytes: u64) -> u64 {
        (bytes + self.bytes() - 1) >> self.shift()
    }

    /// The cells of some bytes.
    #[inline(always)]
    pub(super) fn cells(self, offset: u64, bytes: u64) -> Range<u64> {
        offset >> self.shift()..self.count(offset + bytes)
    }

    fn shift(self) -> u32 {
        match self {
            Grain::Byte => 0,
            Grain::Word => 2,
        }
    }
}
