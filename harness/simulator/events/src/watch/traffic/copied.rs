//! What copies to shared memory that warps begin (`cp.async`) take of its banks.
//!
//! Such a copy is written as it comes back: by lines of global memory, of which each sector goes to one sector of shared
//! memory at a time. So a line that is spread over several rows of the banks takes a pass for each. So does a sector whose
//! halves go to two sectors of a row, as in tiles whose rows are an odd multiple of 16 bytes apart. An H200 counts the same
//! for the three patterns of steps 13 to 15 of the ladder gemm: 11, 12.75 and 6 passes for a copy of 16 bytes by each lane.

use super::banks::wavefronts;
use super::sectors::SECTOR;
use execution::listener::Touch;
use program::registers::LANES;

/// Bytes of a line, and of a row of the banks.
const ROW: u64 = 128;

/// A copy's addresses in global memory, until those in shared memory are known.
pub(super) struct Copied {
    /// For each lane; none of one that writes zeros.
    from: [Option<u64>; LANES],
}

impl Default for Copied {
    fn default() -> Copied {
        Copied { from: [None; LANES] }
    }
}

impl Copied {
    /// Some lanes read what they copy.
    pub(super) fn read(&mut self, touch: &Touch) {
        for (lane, address) in touch.active() {
            self.from[lane] = Some(address);
        }
    }

    /// Passes over the banks that it takes to write what was read. Narrower copies than those of 16 bytes were not measured:
    /// they are taken to be stores.
    pub(super) fn passes(&mut self, to: &Touch, banks: u32) -> u64 {
        let from = std::mem::take(&mut self.from);
        if to.bytes != 16 {
            return wavefronts(to, banks);
        }
        let mut moves: Vec<Move> = to.active().map(|(lane, to)| Move::of(from[lane], to)).collect();
        moves.sort_unstable();
        moves.dedup();
        let of_lines = moves.chunk_by(|one, next| (one.line, one.row) == (next.line, next.row));
        let of_line = |moves: &[Move]| {
            let sectors = moves.chunk_by(|one, next| one.from == next.from);
            sectors.map(<[Move]>::len).max().unwrap_or(0) as u64
        };
        of_lines.map(of_line).sum()
    }
}

/// A part of a sector that goes to one sector of shared memory.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    /// The line of global memory.
    line: Option<u64>,
    /// The row of the banks.
    row: u64,
    /// The sector of global memory; of zeros that of shared memory.
    from: u64,
    /// The sector of shared memory.
    to: u64,
}

impl Move {
    fn of(from: Option<u64>, to: u64) -> Move {
        let line = from.map(|address| address / ROW);
        Move { line, row: to / ROW, from: from.unwrap_or(to) / SECTOR, to: to / SECTOR }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::listener::Kind;
    use ptx::Space;

    /// Passes of the copy of 512 bytes by a warp: rows of so many bytes, a row of global memory and of shared memory
    /// being so many bytes after the one before, all averaged over eight warps below each other.
    fn average(bytes: u64, pitch: u64, place: impl Fn(u64, u64) -> u64) -> f64 {
        let mut all = 0;
        for warp in 0..8 {
            let piece = |lane: u64| (warp * 512 + lane * 16) / bytes;
            let column = |lane: u64| lane * 16 % bytes;
            let from = std::array::from_fn(|lane| 65536 * piece(lane as u64) + column(lane as u64));
            let to = std::array::from_fn(|lane| {
                let (row, column) = (piece(lane as u64), column(lane as u64));
                row * pitch + place(row, column / 16) * 16
            });
            let mut copied = Copied::default();
            let of =
                |kind, space, addresses| Touch::new((0, 0, u32::MAX), (kind, space, 16), addresses);
            copied.read(&of(Kind::Load, Space::Global, &from));
            all += copied.passes(&of(Kind::Announcement, Space::Shared, &to), 32);
        }
        all as f64 / 8.0
    }

    #[test]
    fn the_patterns_of_gemm_take_what_an_h200_counts() {
        let plain = |_, column| column;
        // A's and B's tiles of TF32, rows of 64 and 512 bytes: 22 for both.
        assert_eq!((average(64, 80, plain), average(512, 544, plain)), (15.0, 7.0));
        // Of 16 bits, rows of 64 and 256 bytes: 25.5 for both.
        assert_eq!((average(64, 80, plain), average(256, 272, plain)), (15.0, 10.5));
        // In swizzled order: 12 for both.
        let of_a = |row, column| column ^ (row / 2 % 4);
        let of_b = |row, column| column ^ (row % 8);
        assert_eq!((average(64, 64, of_a), average(256, 256, of_b)), (8.0, 4.0));
    }

    #[test]
    fn zeros_come_from_no_line_and_narrower_copies_are_stores() {
        let of = |step: u64, bytes| {
            let addresses = std::array::from_fn(|lane| step * lane as u64);
            let what = (Kind::Announcement, Space::Shared, bytes);
            Copied::default().passes(&Touch::new((0, 0, 0xff), what, &addresses), 32)
        };
        assert_eq!((of(16, 16), of(32, 16), of(128, 4)), (1, 2, 8));
    }
}
