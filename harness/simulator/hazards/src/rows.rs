//! Accesses of whole warps to consecutive words, the most frequent kind. They are recorded as a row of 32 cells, with
//! the same result as lane by lane at a fraction of the cost.

use super::block::BlockHazards;
use super::cell::View;
use super::clash::Clash;
use super::epoch::Epoch;
use super::grain::Grain;
use super::launch::LaunchHazards;
use super::shared::Stamp;
use execution::context::Context;
use execution::listener::{Kind, Touch};
use program::registers::{File, LANES, Registers};
use program::{Access, Operation, Program};

/// Bytes of a word.
const WORD: u64 = 4;
/// Most words that a lane accesses.
const MOST_WORDS: usize = 4;
/// Bytes of a row of words.
const ROW: u64 = WORD * LANES as u64;

impl BlockHazards {
    /// Records an access to a row of shared memory if all recorded accesses there happen before it. Otherwise it
    /// records nothing and returns `false`.
    pub(super) fn row_shared(
        &mut self,
        launch: &LaunchHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        base: u64,
    ) -> bool {
        let facts = &launch.facts;
        let is_plain = !facts.traits[touch.at as usize].strong;
        if facts.shared_grain != Grain::Word || touch.bytes != WORD || !is_plain || !touch.is_row()
        {
            return false;
        }
        let offset = touch.first() - base;
        let cell = (offset / WORD) as usize;
        let stamp = Stamp::new(self.clocks.now(), touch.at, touch.warp * LANES as u32);
        if touch.kind == Kind::Load {
            return self.shadow.read_row(cx.build, cell, stamp, &self.clocks);
        }
        let Some(access) = stored(cx.program, touch) else { return false };
        if !self.shadow.write_row(cx.build, cell, stamp, &self.clocks, self.began) {
            return false;
        }
        self.written.set_row(offset);
        let values = r.word(access.data[0]).map(u64::from);
        self.values[cell..cell + LANES].copy_from_slice(&values);
        true
    }

    /// Records an access to a row of global memory, of one or more words for each lane, and adds what it clashes with.
    /// Returns `false` if nothing was recorded.
    pub(super) fn row_global(
        &mut self,
        launch: &LaunchHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        clashes: &mut Vec<Clash>,
    ) -> bool {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        let words = (touch.bytes / WORD) as usize;
        if !matches!(touch.bytes, 4 | 8 | 16) || own.strong || !touch.is_row() {
            return false;
        }
        let Some((index, offset)) = self.find(cx, own.number, touch.first(), touch.bytes) else {
            return false;
        };
        let allocation = &cx.spaces.memory.allocations()[index];
        let bytes = touch.bytes * LANES as u64;
        if allocation.offset(touch.first(), bytes).is_none() {
            return false;
        }
        let mut rows = (offset..offset + bytes).step_by(ROW as usize);
        let access = match touch.kind {
            Kind::Load if rows.all(|offset| allocation.written.has_row(offset)) => None,
            Kind::Store => match stored(cx.program, touch) {
                None => return false,
                access => access,
            },
            _ => return false,
        };
        let Some(shadow) = &launch.global else {
            if touch.kind == Kind::Store {
                rows.for_each(|offset| allocation.written.set_row(offset));
            }
            return true;
        };
        if shadow.grain() != Grain::Word {
            return false;
        }
        let cell = offset / WORD;
        let tick = self.clocks.now() - self.began + 1;
        let epoch = Epoch::new(self.number, own.number, touch.warp * LANES as u32, tick);
        let remote = launch.released.as_ref().map(|_| &self.remote);
        let view = View::new(&self.clocks, self.began - 1, remote);
        let clash = |cell: usize, with: Epoch, wrote| {
            let thread = touch.warp * LANES as u32 + (cell / words) as u32;
            let address = touch.first() + WORD * cell as u64;
            let by = (self.number, thread);
            clashes.push(Clash::with(facts, &view, (with, wrote), by, address));
        };
        let row = (index, cell, words);
        let Some(access) = access else { return shadow.read_row(row, epoch, &view, clash) };
        let mut several: [u32; MOST_WORDS * LANES];
        let values = match (access.file, words) {
            (File::Words, 1) => r.word(access.data[0]).as_slice(),
            (file, _) => {
                several = [0; MOST_WORDS * LANES];
                let several = &mut several[..words * LANES];
                for (cell, value) in several.iter_mut().enumerate() {
                    let (lane, k) = (cell / words, cell % words);
                    *value = match file {
                        File::Doubles => {
                            (r.double(access.data[k / 2])[lane] >> (32 * (k % 2))) as u32
                        }
                        _ => r.word(access.data[k])[lane],
                    };
                }
                several
            }
        };
        let is_recorded = shadow.write_row(row, (epoch, values), &view, clash);
        if is_recorded {
            rows.for_each(|offset| allocation.written.set_row(offset));
        }
        is_recorded
    }
}

/// The access of a store of words.
fn stored<'p>(program: &'p Program, touch: &Touch) -> Option<&'p Access> {
    let Operation::Store(k) = program.code[touch.at as usize].operation else { return None };
    let access = &program.accesses[k as usize];
    let bytes = match access.file {
        File::Words => WORD,
        File::Doubles => 2 * WORD,
        File::Predicates => return None,
    };
    (access.cell.bytes() == bytes).then_some(access)
}
