//! The arrays in a block's shared memory.

use super::origins::DYNAMIC;
use execution::context::Context;

/// The bytes of an array in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Array {
    pub start: u64,
    pub end: u64,
    /// Its bit in the sets of arrays that an address may come from ([`super::origins`]).
    pub number: u32,
}

/// The arrays of a block, the last of them the dynamic one.
pub(super) fn arrays(cx: &Context) -> Vec<Array> {
    let of_launch = Array {
        start: cx.spaces.shared_bytes - u64::from(cx.dynamic_shared_bytes),
        end: cx.spaces.shared_bytes,
        number: DYNAMIC,
    };
    (0..DYNAMIC)
        .zip(&cx.program.shared)
        .map(|(number, array)| Array {
            start: array.offset,
            end: array.offset + array.bytes,
            number,
        })
        .chain([of_launch])
        .collect()
}

impl Array {
    /// Bytes between the array and an offset outside it.
    pub(super) fn distance(&self, offset: u64) -> u64 {
        self.start.saturating_sub(offset).max(offset.saturating_sub(self.end))
    }
}
