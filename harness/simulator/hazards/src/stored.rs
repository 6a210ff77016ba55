//! What a lane stores.

use super::bytes::mask;
use execution::listener::Touch;
use program::registers::{File, Registers};
use program::{Operation, Program};

/// Some bytes of what a lane stores; `None` for an atomic and where it is not known.
pub(super) fn stored(
    program: &Program,
    r: &Registers,
    touch: &Touch,
    lane: usize,
    at: u64,
    bytes: u64,
) -> Option<u64> {
    if let Some(copied) = touch.copied {
        return Some((copied >> (8 * at)) as u64 & mask(8 * bytes));
    }
    let Operation::Store(k) = program.code[touch.at as usize].operation else { return None };
    let access = &program.accesses[k as usize];
    let size = access.cell.bytes();
    let index = access.data[(at / size) as usize % 4];
    let value = match access.file {
        File::Doubles => r.double(index)[lane],
        _ => u64::from(r.word(index)[lane]),
    };
    Some(value >> (at % size * 8) & mask(8 * bytes.min(size)))
}
