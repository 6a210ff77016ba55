//! Rows: words of all lanes, one lane after the other, which are moved without looking at addresses.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use crate::spaces::Window;
use program::registers::{File, LANES, Registers};
use program::{Access, Cell};

/// The words that the lanes address, if all lanes are active and each addresses those after the lane before.
#[inline(always)]
pub(super) fn find<'a>(
    window: &Window<'a>,
    access: &Access,
    first: u64,
    step: Option<u8>,
) -> Option<&'a [AtomicU32]> {
    let in_words = match access.file {
        File::Words => matches!(access.cell, Cell::B32 | Cell::I32),
        File::Doubles => access.cell == Cell::B64 && !access.strong,
        File::Predicates => false,
    };
    let bytes = access.cell.bytes() * u64::from(access.count);
    if step.map(u64::from) != Some(bytes) || window.stride != 0 || !in_words {
        return None;
    }
    let offset = first.wrapping_sub(window.base);
    let all = LANES as u64 * bytes;
    let is_inside = offset < window.bytes && all <= window.bytes - offset;
    (is_inside && first & (bytes - 1) == 0)
        .then(|| window.storage.words(window.start + offset, all as usize / 4))
}

/// The same, `N` words for each lane.
#[inline(always)]
fn by_lane<const N: usize>(row: &[AtomicU32]) -> &[[AtomicU32; N]; LANES] {
    row.as_chunks().0.first_chunk().expect("`find` gives all lanes their words")
}

/// Loads a row of words.
#[inline(always)]
pub(super) fn load(registers: &mut Registers, access: &Access, row: &[AtomicU32]) {
    #[inline(always)]
    fn words<const N: usize>(registers: &mut Registers, access: &Access, row: &[AtomicU32]) {
        let row = by_lane::<N>(row);
        for k in (0..N).filter(|k| access.dropped >> k & 1 == 0) {
            let to = registers.word_mut(access.data[k]);
            for lane in 0..LANES {
                to[lane] = row[lane][k].load(Relaxed);
            }
        }
    }
    #[inline(always)]
    fn doubles<const N: usize>(registers: &mut Registers, access: &Access, row: &[AtomicU32]) {
        let row = by_lane::<N>(row);
        for k in (0..N / 2).filter(|k| access.dropped >> k & 1 == 0) {
            let to = registers.double_mut(access.data[k]);
            for lane in 0..LANES {
                let [low, high] = [2 * k, 2 * k + 1].map(|k| u64::from(row[lane][k].load(Relaxed)));
                to[lane] = low | high << 32;
            }
        }
    }
    match (access.file, access.count) {
        (File::Doubles, 1) => doubles::<2>(registers, access, row),
        (File::Doubles, 2) => doubles::<4>(registers, access, row),
        (File::Doubles, _) => doubles::<8>(registers, access, row),
        (_, 1) => words::<1>(registers, access, row),
        (_, 2) => words::<2>(registers, access, row),
        (_, 4) => words::<4>(registers, access, row),
        (_, _) => words::<8>(registers, access, row),
    }
}

/// Stores a row of words.
#[inline(always)]
pub(super) fn store(registers: &Registers, access: &Access, row: &[AtomicU32]) {
    #[inline(always)]
    fn words<const N: usize>(registers: &Registers, access: &Access, row: &[AtomicU32]) {
        let row = by_lane::<N>(row);
        for k in 0..N {
            let from = registers.word(access.data[k]);
            for lane in 0..LANES {
                row[lane][k].store(from[lane], Relaxed);
            }
        }
    }
    #[inline(always)]
    fn doubles<const N: usize>(registers: &Registers, access: &Access, row: &[AtomicU32]) {
        let row = by_lane::<N>(row);
        for k in 0..N / 2 {
            let from = registers.double(access.data[k]);
            for lane in 0..LANES {
                row[lane][2 * k].store(from[lane] as u32, Relaxed);
                row[lane][2 * k + 1].store((from[lane] >> 32) as u32, Relaxed);
            }
        }
    }
    match (access.file, access.count) {
        (File::Doubles, 1) => doubles::<2>(registers, access, row),
        (File::Doubles, 2) => doubles::<4>(registers, access, row),
        (File::Doubles, _) => doubles::<8>(registers, access, row),
        (_, 1) => words::<1>(registers, access, row),
        (_, 2) => words::<2>(registers, access, row),
        (_, 4) => words::<4>(registers, access, row),
        (_, _) => words::<8>(registers, access, row),
    }
}
