//! Which of the recorded accesses that nothing orders before a new one are hazards.

use super::block::BlockHazards;
use super::cell::View;
use super::clocks::VectorClocks;
use super::epoch::Epoch;
use super::facts::{Facts, Traits};
use super::finding::{Actor, Finding, HazardKind};
use super::launch::LaunchHazards;
use super::shared::Stamp;
use execution::Scheduling;
use execution::listener::Touch;
use execution::{AccessKind, Missing, RaceScope};
use program::registers::LANES;
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

impl Clash {
    /// Of an access to a block's own shared memory by thread `by`, with an earlier one.
    pub(super) fn of_block(
        clocks: &VectorClocks,
        (with, wrote): (Stamp, bool),
        (block, by): (u64, u32),
        address: u64,
    ) -> Clash {
        let (thread, tick) = (with.thread(), with.tick());
        let missing = match wrote {
            true => clocks.missing(thread, tick, by),
            false => clocks.missing_of_read(thread, tick, by),
        };
        Clash {
            at: with.at(),
            block,
            thread,
            wrote,
            missing,
            same_value: false,
            initial: false,
            by,
            address,
        }
    }

    /// Of an access to global memory, or to that of a cluster, with one by thread `by` of block `block` at an address.
    pub(super) fn with(
        facts: &Facts,
        view: &View,
        (with, wrote): (Epoch, bool),
        (block, by): (u64, u32),
        address: u64,
    ) -> Clash {
        Clash {
            at: facts.places[with.number() as usize],
            block: with.block(),
            thread: with.thread(),
            wrote,
            missing: view.missing(with, (block, by)),
            same_value: false,
            initial: false,
            by,
            address,
        }
    }
}

impl BlockHazards {
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
        // What products read has its own rules.
        if then.product && !clash.wrote && clash.block == self.number {
            return None;
        }
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
            // Who initialises an `mbarrier` once more leaves it undefined (PTX ISA, "mbarrier.init").
            || clash.same_value && !then.atomic && !now.atomic && !now.begins;
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
        let missing = match scope {
            RaceScope::Instruction if now.begins && clash.same_value => Missing::Election,
            _ if is_apart && then.strong && now.strong => Missing::Scope,
            _ => clash.missing,
        };
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
