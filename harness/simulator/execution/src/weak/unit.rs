//! Units of memory: bytes that are read and written as one value.

use memory::Storage;

use crate::spaces::Spaces;

/// Set in the number of a unit of shared memory; below it are the block and the offset.
const SHARED: u64 = 1 << 63;

/// The unit of shared memory of a block that has this offset.
pub(crate) fn shared_unit(block: u64, offset: u64) -> u64 {
    SHARED | block << 32 | offset
}

/// Whether a unit is one of shared memory.
pub(super) fn is_shared(unit: u64) -> bool {
    unit >= SHARED
}

/// Calls `f` with each word of a unit: where it is stored, and its place in the unit.
fn words(spaces: &Spaces, unit: u64, size: u64, mut f: impl FnMut(&Storage, u64, u64)) {
    for at in (0..size).step_by(4) {
        if is_shared(unit) {
            let offset = (unit & u64::from(u32::MAX)) + at;
            if offset + 4 <= spaces.shared.bytes() {
                f(&spaces.shared, offset, at);
            }
        } else if let Some(index) = spaces.memory.find(unit + at, 4) {
            let allocation = &spaces.memory.allocations()[index];
            f(&allocation.storage, unit + at - allocation.address, at);
        }
    }
}

/// What is in a unit.
pub(super) fn content(spaces: &Spaces, unit: u64, size: u64) -> u64 {
    let mut value = 0;
    words(spaces, unit, size, |storage, offset, at| {
        value |= storage.load_whole(offset, 4) << (8 * at);
    });
    value
}

/// Puts a value back into a unit.
pub(super) fn restore(spaces: &Spaces, unit: u64, size: u64, value: u64) {
    words(spaces, unit, size, |storage, offset, at| {
        storage.store_whole(offset, 4, value >> (8 * at))
    });
}
