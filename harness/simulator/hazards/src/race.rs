//! Records each access and compares it with those recorded before.

use super::block::{BlockHazards, used_bytes};
use super::cell::View;
use super::clash::Clash;
use super::cluster::ClusterHazards;
use super::epoch::Epoch;
use super::facts::Facts;
use super::finding::Finding;
use super::launch::LaunchHazards;
use super::shared::Stamp;
use super::stored::stored;
use execution::context::Context;
use execution::listener::{Kind, Touch};
use program::registers::{LANES, Registers, lanes};
use ptx::Space;

impl BlockHazards {
    /// The first writes to shared memory that nothing orders before a strong access. It must be asked for before the access
    /// acquires anything: who sees a flag or an `mbarrier` in a later state may also have come before its initialisation.
    pub(super) fn initial_clashes(&self, facts: &Facts, touch: &Touch, base: u64) -> Vec<Clash> {
        let mut clashes = Vec::new();
        if !facts.traits[touch.at as usize].strong {
            return clashes;
        }
        let grain = facts.shared_grain;
        for (lane, address) in touch.active() {
            let by = touch.warp * LANES as u32 + lane as u32;
            for cell in grain.cells(address - base, touch.bytes) {
                let first = self.shadow.first_unordered(cell as usize, by, &self.clocks);
                if let Some(with) = first.filter(|it| facts.traits[it.at() as usize].stores) {
                    let address = base + cell * grain.bytes();
                    let by = (self.number, by);
                    let clash = Clash::of_block(&self.clocks, (with, true), by, address);
                    clashes.push(Clash { initial: true, ..clash });
                }
            }
        }
        clashes
    }

    /// Records an access to shared memory, and reports what it races with, `clashes` among them.
    pub(super) fn race_shared(
        &mut self,
        (launch, cluster): (&LaunchHazards, Option<&ClusterHazards>),
        (cx, r, touch): (&Context, &Registers, &Touch),
        (base, mut clashes): (u64, Vec<Clash>),
        report: &mut impl FnMut(Finding),
    ) {
        let facts = &launch.facts;
        let own = &facts.traits[touch.at as usize];
        self.remember(touch.warp, own.number);
        if self.row_shared(launch, cx, r, touch, base) {
            return;
        }
        let now = self.clocks.now();
        let stamp =
            |lane: usize| Stamp::new(now, touch.at, touch.warp * LANES as u32 + lane as u32);
        let grain = facts.shared_grain;
        let cells = |address: u64| grain.cells(address - base, touch.bytes);
        let (clocks, number) = (&self.clocks, self.number);
        let clash = |with: Stamp, wrote, same_value, lane: usize, cell: u64| {
            let by = touch.warp * LANES as u32 + lane as u32;
            let address = base + cell * grain.bytes();
            Clash { same_value, ..Clash::of_block(clocks, (with, wrote), (number, by), address) }
        };
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
                    let clashes_with =
                        |with, cell| clashes.push(clash(with, true, false, lane, cell));
                    self.shadow.read_run(cells(address), stamp(lane), &self.clocks, clashes_with);
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
                    let at = cell * grain.bytes() - (address - base);
                    let value = stored(cx.program, r, touch, lane, at, grain.bytes());
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
        if let Some(cluster) = cluster {
            clashes.retain(|clash| {
                let begins = facts.traits[clash.at as usize].begins;
                !(begins && self.is_shown(cluster, clash.address - base, clash.by))
            });
        }
        self.judge_all(launch, touch, (Space::Shared, base), &clashes, report);
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
        let kept = match touch.kind {
            Kind::Load => representatives(touch),
            _ => touch.mask,
        };
        let used = used_bytes(touch, own);
        for (lane, address) in lanes(kept).map(|lane| (lane, touch.address(lane))) {
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
            let grain = shadow.grain();
            let thread = touch.warp * LANES as u32 + lane as u32;
            let epoch = Epoch::new(self.number, own.number, thread, tick);
            let remote = launch.released.as_ref().map(|_| &self.remote);
            let view = View::new(&self.clocks, self.began - 1, remote);
            let clash = |with, wrote, cell: u64| {
                let address = allocation.address + cell * grain.bytes();
                Clash::with(facts, &view, (with, wrote), (self.number, thread), address)
            };
            for cell in grain.cells(offset, touch.bytes) {
                if touch.kind == Kind::Load {
                    let with = shadow.read(index, cell, epoch, &view);
                    clashes.extend(with.map(|with| clash(with, true, cell)));
                    continue;
                }
                let at = cell * grain.bytes() - offset;
                let value = stored(cx.program, r, touch, lane, at, grain.bytes());
                let write = (epoch, value, own.strong, facts.narrow_global);
                shadow.write(index, cell, write, &view, |with, wrote| {
                    clashes.push(clash(with, wrote, cell));
                });
            }
        }
        self.judge_all(launch, touch, (Space::Global, 0), &clashes, report);
    }
}

/// The first and the last lane of those that read the same address: they stand for all of them. A few others may be among them.
fn representatives(touch: &Touch) -> u32 {
    /// Addresses that are known at a time; one more takes the place of another.
    const KNOWN: usize = 32;
    /// Spreads neighbouring addresses, and distant ones, by the golden ratio.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

    let mut known = [(u64::MAX, 0_u32); KNOWN];
    let mut kept = 0;
    for (lane, address) in touch.active() {
        let (of, last) =
            &mut known[(address.wrapping_mul(SPREAD) >> (u64::BITS - KNOWN.ilog2())) as usize];
        if *of == address {
            *last = 1 << lane;
        } else {
            kept |= *last | 1 << lane;
            (*of, *last) = (address, 0);
        }
    }
    known.iter().fold(kept, |kept, (_, last)| kept | last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lanes_stand_for_each_address() {
        let kept = |address: fn(u64) -> u64, mask| {
            let addresses = std::array::from_fn(|lane| address(lane as u64));
            representatives(&Touch::new((0, 0, mask), (Kind::Load, Space::Global, 4), &addresses))
        };
        assert_eq!(kept(|_| 256, u32::MAX), 1 | 1 << 31);
        assert_eq!(kept(|_| 256, 0b0110_1000), 0b0100_1000);
        assert_eq!(kept(|lane| 256 + 4 * lane, u32::MAX), u32::MAX);
        assert_eq!(kept(|lane| 256 + 4 * (lane % 4), u32::MAX), 0xf000_000f);
        assert_eq!(kept(|lane| 256 + 4096 * (lane / 8), u32::MAX), 0x8181_8181);
    }
}
