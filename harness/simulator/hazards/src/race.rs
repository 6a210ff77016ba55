//! Records each access and compares it with those recorded before.

use super::block::{BlockHazards, used_bytes};
use super::bytes::mask;
use super::cell::View;
use super::facts::Traits;
use super::finding::{Actor, Finding, HazardKind};
use super::launch::LaunchHazards;
use super::mark::Mark;
use super::shared::Stamp;
use execution::Scheduling;
use execution::context::Context;
use execution::listener::{Kind, Touch};
use execution::{AccessKind, Missing, RaceScope};
use program::registers::{File, LANES, Registers};
use program::{Operation, Program};
use ptx::Space;

/// A recorded access that is not ordered with a new one.
pub(super) struct Clash {
    pub at: u32,
    pub block: u64,
    pub thread: u32,
    pub wrote: bool,
    /// What would order the two.
    pub missing: Missing,
    pub same_value: bool,
    /// It initialised the bytes, on which every access depends.
    pub initial: bool,
    /// The thread of the new access, and the first byte concerned.
    pub by: u32,
    pub address: u64,
}

impl BlockHazards {
    /// Records an access to shared memory, and reports what it races with.
    pub(super) fn race_shared(
        &mut self,
        launch: &LaunchHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        base: u64,
        report: &mut impl FnMut(Finding),
    ) {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        self.remember(touch.warp, own.number);
        if self.row_shared(launch, cx, r, touch, base) {
            return;
        }
        let mut clashes = Vec::new();
        let now = self.clocks.now();
        let stamp =
            |lane: usize| Stamp::new(now, touch.at, touch.warp * LANES as u32 + lane as u32);
        let grain = facts.shared_grain;
        let cells = |address: u64| {
            let offset = address - base;
            offset / grain..(offset + touch.bytes).div_ceil(grain)
        };
        let clocks = &self.clocks;
        let clash = |with: Stamp, wrote, same_value, lane: usize, cell: u64| {
            let by = touch.warp * LANES as u32 + lane as u32;
            Clash {
                at: with.at(),
                block: self.number,
                thread: with.thread(),
                wrote,
                missing: clocks.missing(with.thread(), with.tick(), by),
                same_value,
                initial: false,
                by,
                address: base + cell * grain,
            }
        };
        if own.strong {
            for (lane, address) in touch.active() {
                for cell in cells(address) {
                    let thread = touch.warp * LANES as u32 + lane as u32;
                    let first = self.shadow.first_unordered(cell as usize, thread, &self.clocks);
                    if let Some(with) = first
                        && facts.traits[with.at() as usize].stores
                    {
                        clashes
                            .push(Clash { initial: true, ..clash(with, true, false, lane, cell) });
                    }
                }
            }
        }
        if touch.kind == Kind::Load {
            let first = touch.mask.trailing_zeros() as usize;
            let last = 31 - touch.mask.leading_zeros() as usize;
            if first != last && touch.is_uniform() {
                for cell in cells(touch.first()) {
                    let both = [stamp(first), stamp(last)];
                    if let Some(with) = self.shadow.read_by_all(cell as usize, both, &self.clocks) {
                        let lane = if with.thread() == both[0].thread() { last } else { first };
                        clashes.push(clash(with, true, false, lane, cell));
                    }
                }
            } else {
                for (lane, address) in touch.active() {
                    for cell in cells(address) {
                        if let Some(with) =
                            self.shadow.read(cell as usize, stamp(lane), &self.clocks)
                        {
                            clashes.push(clash(with, true, false, lane, cell));
                        }
                    }
                }
            }
        } else {
            for (lane, address) in touch.active() {
                if touch.kind == Kind::Announcement {
                    self.written.unset(address - base, touch.bytes);
                } else {
                    self.written.set(address - base, touch.bytes);
                }
                for cell in cells(address) {
                    let at = cell * grain - (address - base);
                    let value = stored(cx.program, r, touch, lane, at, grain);
                    let before =
                        std::mem::replace(&mut self.values[cell as usize], value.unwrap_or(0));
                    let same = value == Some(before);
                    // An atomic or volatile access must not hide a store that is neither.
                    let is_strong = own.strong;
                    let keeps = |with: Stamp| is_strong && !facts.traits[with.at() as usize].strong;
                    let clashes_with = |with, wrote| {
                        clashes.push(clash(with, wrote, wrote && same, lane, cell));
                    };
                    let (cell, stamp) = (cell as usize, stamp(lane));
                    self.shadow.write(cell, stamp, &self.clocks, keeps, clashes_with);
                    self.shadow.note_first(cell, stamp, self.began);
                }
            }
        }
        for clash in clashes {
            if let Some(finding) = self.judge(launch, touch, Space::Shared, &clash, base) {
                report(finding);
            }
        }
    }

    /// Records an access to global memory, and reports its hazards.
    pub(super) fn touch_global(
        &mut self,
        launch: &LaunchHazards,
        cx: &Context,
        r: &Registers,
        touch: &Touch,
        report: &mut impl FnMut(Finding),
    ) {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        self.remember(touch.warp, own.number);
        let mut clashes = Vec::new();
        if self.row_global(launch, cx, r, touch, &mut clashes) {
            self.judge_all(launch, touch, (Space::Global, 0), &clashes, report);
            return;
        }
        let tick = self.clocks.now() - self.began + 1;
        let first = touch.mask.trailing_zeros() as usize;
        let last = 31 - touch.mask.leading_zeros() as usize;
        // Two lanes represent all that read the same address.
        let two = touch.kind == Kind::Load && touch.is_uniform();
        let lanes = if two { 1 << first | 1 << last } else { touch.mask };
        let used = used_bytes(touch, own);
        for (lane, address) in touch.of_lanes(lanes).active() {
            let Some((index, offset)) = self.find(cx, own.number, address, touch.bytes) else {
                continue;
            };
            let allocation = &cx.spaces.memory.allocations()[index];
            if touch.kind != Kind::Store {
                let missing = used & !allocation.written.get(offset, touch.bytes);
                if missing != 0 {
                    report(self.unwritten(touch, lane, Space::Global, address, missing));
                }
            }
            if touch.kind != Kind::Load {
                allocation.written.set(offset, touch.bytes);
            }
            let Some(shadow) = &launch.global else { continue };
            let thread = touch.warp * LANES as u32 + lane as u32;
            let mark = Mark::new(self.number, own.number, thread, tick);
            let remote = launch.released.as_ref().map(|_| &self.remote);
            let view = View { clocks: &self.clocks, began: self.began - 1, remote };
            let clash = |with: Mark, wrote, cell: u64| Clash {
                at: facts.places[with.number() as usize],
                block: with.block(),
                thread: with.thread(),
                wrote,
                missing: view.missing(with, (self.number, thread)),
                same_value: false,
                initial: false,
                by: thread,
                address: allocation.address + cell * shadow.grain(),
            };
            for cell in shadow.cells(offset, touch.bytes) {
                if touch.kind == Kind::Load {
                    let with = shadow.read(index, cell, mark, &view);
                    clashes.extend(with.map(|with| clash(with, true, cell)));
                    continue;
                }
                let at = cell * shadow.grain() - offset;
                let value = stored(cx.program, r, touch, lane, at, shadow.grain());
                let write = (mark, value, own.strong, facts.narrow_global);
                shadow.write(index, cell, write, &view, |with, wrote| {
                    clashes.push(clash(with, wrote, cell));
                });
            }
        }
        self.judge_all(launch, touch, (Space::Global, 0), &clashes, report);
    }

    /// Reports those clashes that are hazards; the space begins at `base`.
    pub(super) fn judge_all(
        &self,
        launch: &LaunchHazards,
        touch: &Touch,
        (space, base): (Space, u64),
        clashes: &[Clash],
        report: &mut impl FnMut(Finding),
    ) {
        clashes
            .iter()
            .filter_map(|clash| self.judge(launch, touch, space, clash, base))
            .for_each(report);
    }

    /// The finding of a clash, unless it is harmless.
    fn judge(
        &self,
        launch: &LaunchHazards,
        touch: &Touch,
        space: Space,
        clash: &Clash,
        base: u64,
    ) -> Option<Finding> {
        let facts = &launch.facts;
        let (then, now) = (&facts.traits[clash.at as usize], &facts.traits[touch.at as usize]);
        // Strong accesses of two blocks do not race if the scope of each includes the other's thread (PTX ISA, "Morally
        // Strong Operations").
        let narrow = [then, now].into_iter().any(|own| own.strong && !own.scope.spans_blocks());
        let is_apart = space == Space::Global && clash.block != self.number && narrow;
        let both_strong = then.strong && now.strong && !is_apart;
        // Reading what atomics update is intended if the read is strong or a compare-and-swap checks its value.
        let is_meant =
            |one: &Traits, other: &Traits| one.atomic && (other.strong || other.looks) && !is_apart;
        let both_wait = facts.orders || then.polls || now.polls;
        let harmless = is_meant(then, now)
            || is_meant(now, then)
            || both_strong && (space == Space::Global || both_wait || clash.block != self.number)
            || clash.same_value && !then.atomic && !now.atomic;
        if harmless && !clash.initial {
            return None;
        }
        let same_warp = clash.block == self.number && clash.thread / LANES as u32 == touch.warp;
        let at_once = same_warp && self.is_at_once(touch, clash);
        if same_warp && !at_once && launch.scheduling == Scheduling::Lockstep {
            return None;
        }
        let scope = match (clash.block == self.number, same_warp) {
            _ if at_once => RaceScope::Instruction,
            (false, _) if space == Space::Shared => RaceScope::Cluster,
            (false, _) => RaceScope::Grid,
            (true, true) => RaceScope::Warp,
            (true, false) => RaceScope::Block,
        };
        let kind = |own: &Traits| match (own.atomic, own.stores_in(space)) {
            (true, _) => AccessKind::Atomic,
            (false, true) => AccessKind::Write,
            (false, false) => AccessKind::Read,
        };
        let earlier = Actor { at: clash.at, block: clash.block, thread: clash.thread };
        let later = Actor { at: touch.at, block: self.number, thread: clash.by };
        let (was, is) = (kind(then), kind(now));
        let in_order = matches!(scope, RaceScope::Cluster | RaceScope::Grid)
            || self.is_before(facts, (earlier.at, earlier.thread), (later.at, later.thread));
        let (with, actor, accesses) =
            if in_order { (earlier, later, [is, was]) } else { (later, earlier, [was, is]) };
        let missing =
            if is_apart && then.strong && now.strong { Missing::Scope } else { clash.missing };
        let kind = HazardKind::Race { with, accesses, scope, missing };
        Some(Finding { kind, actor, space, address: clash.address - base })
    }

    /// Whether a clash is with another lane of the same execution of an instruction.
    fn is_at_once(&self, touch: &Touch, clash: &Clash) -> bool {
        let lane = clash.thread as usize % LANES;
        clash.at == touch.at
            && touch.mask >> lane & 1 != 0
            && (lane as u32) < clash.by % LANES as u32
            && clash.wrote
            && clash.address.wrapping_sub(touch.address(lane)) < touch.bytes
    }
}

/// Some bytes of what a lane stores; `None` for an atomic.
pub(super) fn stored(
    program: &Program,
    r: &Registers,
    touch: &Touch,
    lane: usize,
    at: u64,
    bytes: u64,
) -> Option<u64> {
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
