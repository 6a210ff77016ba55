//! Whether all threads that a barrier waits for come to it, and to the same one.

use super::block::BlockHazards;
use super::finding::{Actor, Finding, HazardKind};
use super::multiprocessor::Hazards;
use execution::Scheduling;
use execution::context::Context;
use execution::listener::Arrival;
use program::Operation;
use ptx::Space;

impl Hazards<'_> {
    /// Lanes come to a barrier of the block; those of `left` belong to their warp and do not come along.
    pub(super) fn arrives(
        &mut self,
        own: &BlockHazards,
        cx: &Context,
        arrival: Arrival,
        left: u32,
    ) {
        let Operation::Barrier(k) = cx.program.code[arrival.at as usize].operation else { return };
        if left == 0
            || !cx.program.barriers[k as usize].aligned
            || self.launch.scheduling == Scheduling::Lockstep
        {
            return;
        }
        let thread = arrival.warp * 32 + arrival.mask.trailing_zeros();
        self.finds(Finding {
            kind: HazardKind::DivergentBarrier { lanes: arrival.mask, missing: left },
            actor: Actor { at: arrival.at, block: own.number(), thread },
            space: Space::Shared,
            address: 0,
        });
    }

    /// Checks whether threads skipped a completed barrier, executed code after it and exited. A barrier does not wait
    /// for exited threads, but only an exit before it is correct.
    pub(super) fn compare_warps(&mut self, own: &BlockHazards, cx: &Context, arrivals: &[Arrival]) {
        let barriers = &self.launch.facts.barriers;
        if self.launch.scheduling == Scheduling::Lockstep {
            return;
        }
        let Some(first) = arrivals.first() else { return };
        let Some(barrier) = barriers.iter().position(|&at| at == first.at) else { return };
        let came = |warp: u32| {
            let own = arrivals.iter().filter(|arrival| arrival.warp == warp);
            own.fold(0, |came, arrival| came | arrival.mask)
        };
        let behind = own.behind.iter().skip(barrier).step_by(barriers.len());
        let missed = (0..).zip(behind).find_map(|(warp, &(lanes, block))| {
            let lanes = if lanes == 0 { 0 } else { lanes & !came(warp) };
            (lanes != 0).then_some((warp, lanes, block))
        });
        let Some((warp, lanes, block)) = missed else { return };
        self.finds(Finding {
            kind: HazardKind::MissedBarrier {
                warp,
                lanes,
                went: cx.program.blocks[block as usize].first,
            },
            actor: Actor {
                at: first.at,
                block: own.number(),
                thread: first.warp * 32 + first.mask.trailing_zeros(),
            },
            space: Space::Shared,
            address: 0,
        });
    }

    /// Checks whether all threads reached the same barrier.
    pub(super) fn compare_places(
        &mut self,
        own: &BlockHazards,
        cx: &Context,
        arrivals: &[Arrival],
        number: usize,
    ) {
        let Some((first, rest)) = arrivals.split_first() else { return };
        let place = |arrival: &Arrival| cx.program.lines[arrival.at as usize];
        // Named barriers may be reached from several places.
        let Some(other) = rest.iter().find(|other| other.at != first.at) else { return };
        let counted = |arrival: &Arrival| match cx.program.code[arrival.at as usize].operation {
            Operation::Barrier(k) => cx.program.barriers[k as usize].counted,
            _ => true,
        };
        let ((_, here), (_, there)) = (place(first), place(other));
        // A compiler may duplicate a barrier; the copies have one source line.
        let same = here.line > 0 && (here.file, here.line) == (there.file, there.line);
        if number != 0 || same || counted(first) || counted(other) {
            return;
        }
        let actor = |arrival: &Arrival| Actor {
            at: arrival.at,
            block: own.number(),
            thread: arrival.warp * 32 + arrival.mask.trailing_zeros(),
        };
        self.finds(Finding {
            kind: HazardKind::MixedBarrier { with: actor(other) },
            actor: actor(first),
            space: Space::Shared,
            address: 0,
        });
    }
}
