//! Rows of numbers narrower than a word: all lanes, one after the other, are moved as whole words.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::spaces::Window;
use program::registers::{File, LANES, Registers};
use program::{Access, Cell};

/// The words that the lanes address, if all lanes are active, each addresses what is after the lane before, and the first
/// begins with a word, of numbers narrower than a word in registers of words.
#[inline(always)]
pub(super) fn find<'a>(
    window: &Window<'a>,
    access: &Access,
    first: u64,
    step: Option<u8>,
) -> Option<&'a [AtomicU32]> {
    let is_narrow = access.cell.bytes() < 4 && access.file == File::Words;
    let bytes = access.cell.bytes() * u64::from(access.count);
    if !is_narrow || step.map(u64::from) != Some(bytes) || window.stride != 0 {
        return None;
    }
    let offset = first.wrapping_sub(window.base);
    let all = LANES as u64 * bytes;
    let is_inside = offset < window.bytes && all <= window.bytes - offset;
    (is_inside && first & (bytes.max(4) - 1) == 0)
        .then(|| window.storage.words(window.start + offset, all as usize / 4))
}

/// Calls a function for the numbers of each lane and the bytes of each.
macro_rules! by_shape {
    ($function:ident($registers:ident, $access:ident, $row:ident)) => {
        match ($access.cell.bytes(), $access.count) {
            (1, 1) => $function::<1, 1>($registers, $access, $row),
            (1, 2) => $function::<2, 1>($registers, $access, $row),
            (1, _) => $function::<4, 1>($registers, $access, $row),
            (_, 1) => $function::<1, 2>($registers, $access, $row),
            (_, 2) => $function::<2, 2>($registers, $access, $row),
            (_, _) => $function::<4, 2>($registers, $access, $row),
        }
    };
}

/// Loads a row.
#[inline(always)]
pub(super) fn load(registers: &mut Registers, access: &Access, row: &[AtomicU32]) {
    by_shape!(loaded(registers, access, row));
}

/// Loads the numbers: `N` of them for each lane, of `B` bytes.
#[inline(always)]
fn loaded<const N: usize, const B: usize>(
    registers: &mut Registers,
    access: &Access,
    row: &[AtomicU32],
) {
    let mut bytes = [0; LANES * 8];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(row) {
        *bytes = word.load(Relaxed).to_le_bytes();
    }
    for k in (0..N).filter(|k| access.dropped >> k & 1 == 0) {
        let to = registers.word_mut(access.data[k]);
        for lane in 0..LANES {
            let place = B * (N * lane + k);
            let [low, high] = [bytes[place], bytes[place + B - 1]];
            to[lane] = match access.cell {
                Cell::U8 => low.into(),
                Cell::I8 => low as i8 as u32,
                Cell::I16 => i16::from_le_bytes([low, high]) as u32,
                _ => u16::from_le_bytes([low, high]).into(),
            };
        }
    }
}

/// Stores a row.
#[inline(always)]
pub(super) fn store(registers: &Registers, access: &Access, row: &[AtomicU32]) {
    by_shape!(stored(registers, access, row));
}

/// Stores the numbers, as [`loaded`].
#[inline(always)]
fn stored<const N: usize, const B: usize>(
    registers: &Registers,
    access: &Access,
    row: &[AtomicU32],
) {
    let mut bytes = [0; LANES * 8];
    for k in 0..N {
        let from = registers.word(access.data[k]);
        for lane in 0..LANES {
            let place = B * (N * lane + k);
            let value = from[lane].to_le_bytes();
            bytes[place] = value[0];
            bytes[place + B - 1] = value[B - 1];
        }
    }
    for (bytes, word) in bytes.as_chunks().0.iter().zip(row) {
        word.store(u32::from_le_bytes(*bytes), Relaxed);
    }
}
