//! What the copy engine and the tensor cores move for warps that only begin it.
//!
//! The simulator does it in pieces of some bytes; the hardware moves sectors and whole rows of 128 bytes. So accesses are
//! counted by their bytes, and those of global memory by the sectors that they come to one after the other.

use execution::context::Context;
use execution::listener::{Kind, Touch};
use execution::spaces::{Place, place};
use program::{Matrix, Operation};

use super::sectors::SECTOR;
use crate::Counts;

/// Bytes of a line, and of a row of the banks.
const ROW: u64 = 128;

/// Where a copy was last in global memory.
#[derive(Default)]
pub(super) struct Rows {
    /// The number of its sector, from 1.
    last: u64,
}

impl Rows {
    /// Counts an access of an engine; the sectors of global memory to which it comes are added to `sectors`.
    pub(super) fn touch(
        &mut self,
        cx: &Context,
        touch: &Touch,
        counts: &mut Counts,
        sectors: &mut Vec<u64>,
    ) {
        let bytes = u64::from(touch.mask.count_ones()) * touch.bytes;
        if place(&cx.spaces, touch.space, touch.first()) != Place::Global {
            // Four warps that multiply read their second factor once. A barrier that counts bytes is no memory to the engine.
            let is_own = match cx.program.code[touch.at as usize].operation {
                Operation::Matrix(Matrix::Fragment(k)) => {
                    cx.program.fragments[k as usize].is_first || touch.warp.is_multiple_of(4)
                }
                Operation::Atomic(_) => false,
                _ => true,
            };
            counts.shared_bytes += if is_own { bytes } else { 0 };
            return;
        }
        counts.global_bytes += bytes;
        let sector = touch.first() / SECTOR + 1;
        if sector != self.last {
            let is_new_row = sector.div_ceil(ROW / SECTOR) != self.last.div_ceil(ROW / SECTOR);
            counts.global_requests += u64::from(is_new_row);
            counts.stored_lines += u64::from(is_new_row && touch.kind == Kind::Store);
            counts.global_sectors += 1;
            sectors.push(sector - 1);
            self.last = sector;
        }
    }
}

/// Counts the passes over the banks of shared memory in which an engine moved its bytes.
pub(super) fn pass(counts: &mut Counts) {
    counts.shared_wavefronts = counts.shared_bytes.div_ceil(ROW);
    counts.shared_requests = counts.shared_wavefronts;
}
