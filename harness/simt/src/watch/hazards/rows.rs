//! Accesses of whole warps to neighbouring words, which most are: recorded as a row of 32 cells, with the same result as lane by
//! lane and at a fraction of the cost.

use super::block::OfBlock;
use super::global::{Mark, View};
use super::launch::OfLaunch;
use super::race::Clash;
use super::shared::Stamp;
use crate::exec::context::Context;
use crate::exec::listener::{Kind, Touch};
use crate::program::{Operation, Program};
use crate::registers::{File, LANES, Registers};

/// Bytes of a lane's word.
const WORD: u64 = 4;
/// Bytes of a row.
const ROW: u64 = WORD * LANES as u64;

impl OfBlock {
    /// Records an access of a row of shared memory if all that was recorded there happens before it. `false`: nothing was
    /// recorded.
    pub(super) fn row_shared(
        &mut self,
        launch: &OfLaunch,
        program: &Program,
        r: &Registers,
        touch: &Touch,
        base: u64,
    ) -> bool {
        let facts = &launch.facts;
        let is_plain = !facts.traits[touch.at as usize].strong;
        if facts.shared_grain != WORD || touch.bytes != WORD || !is_plain || !touch.is_row() {
            return false;
        }
        let offset = touch.addresses[0] - base;
        let cell = (offset / WORD) as usize;
        let stamp = Stamp::new(self.clocks.now(), touch.at, touch.warp * LANES as u32);
        if touch.kind == Kind::Load {
            return self.shadow.read_row(cell, stamp, &self.clocks);
        }
        let Some(values) = stored(program, r, touch) else { return false };
        if !self.shadow.write_row(cell, stamp, &self.clocks, self.began) {
            return false;
        }
        self.written.set_row(offset);
        self.values[cell..cell + LANES].copy_from_slice(&values.map(u64::from));
        true
    }

    /// Records an access of a row of global memory, and adds what it clashes with. `false`: nothing was recorded.
    pub(super) fn row_global(
        &mut self,
        launch: &OfLaunch,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        clashes: &mut Vec<Clash>,
    ) -> bool {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        if touch.bytes != WORD || own.strong || !touch.is_row() {
            return false;
        }
        let Some((index, offset)) = self.find(cx, own.number, touch.addresses[0], WORD) else {
            return false;
        };
        let allocation = &cx.spaces.memory.allocations()[index];
        if allocation.offset(touch.addresses[0], ROW).is_none() {
            return false;
        }
        let values = match touch.kind {
            Kind::Load if allocation.written.has_row(offset) => None,
            Kind::Store => stored(cx.program, r, touch),
            _ => return false,
        };
        let Some(shadow) = &launch.global else {
            if touch.kind == Kind::Store {
                allocation.written.set_row(offset);
            }
            return true;
        };
        if shadow.grain() != WORD || values.is_none() != (touch.kind == Kind::Load) {
            return false;
        }
        let cell = offset / WORD;
        let tick = self.clocks.now() - self.began + 1;
        let mark = Mark::new(self.number, own.number, touch.warp * LANES as u32, tick);
        let foreign = launch.released.as_ref().map(|it| (&self.foreign, it, false));
        let view = View { clocks: &self.clocks, began: self.began - 1, foreign };
        let clash = |lane: usize, with: Mark, wrote| Clash {
            at: facts.places[with.number() as usize],
            block: with.block(),
            thread: with.thread(),
            wrote,
            same_value: false,
            initial: false,
            by: touch.warp * LANES as u32 + lane as u32,
            address: touch.addresses[lane],
        };
        let clash = |lane: usize, with: Mark, wrote| clashes.push(clash(lane, with, wrote));
        match values {
            None => shadow.read_row(index, cell, mark, &view, clash),
            Some(values) => {
                let is_recorded = shadow.write_row(index, cell, (mark, &values), &view, clash);
                if is_recorded {
                    allocation.written.set_row(offset);
                }
                is_recorded
            }
        }
    }
}

/// The words that the lanes store; none where they store anything else.
fn stored(program: &Program, r: &Registers, touch: &Touch) -> Option<[u32; LANES]> {
    let Operation::Store(k) = program.code[touch.at as usize].operation else { return None };
    let access = &program.accesses[k as usize];
    let is_word = access.count == 1 && access.file == File::Words && access.cell.bytes() == WORD;
    is_word.then(|| *r.word(access.data[0]))
}
