//! Reports of blocks that will never end.

use super::barrier::barrier_of;
use super::cause::{Cause, Failure};
use super::context::Context;
use super::control::{Fiber, State};
use super::mbarrier;
use super::warp::Warp;
use program::Operation;
use program::registers::lanes;

/// Reports a block none of whose threads can run.
pub(super) fn deadlock(cx: &Context, warps: &[Warp]) -> Box<Failure> {
    let all = || warps.iter().flat_map(|w| w.fibers.iter().map(move |f| (w, f)));
    let live: u32 = warps.iter().map(|w| w.live.count_ones()).sum();
    // Who misses lanes that wait elsewhere is the cause.
    let matrix = |f: &Fiber| {
        let at =
            f.stack.last().map(|it| cx.program.blocks[it.block as usize].first + f.executed)?;
        let is_matrix = matches!(cx.program.code[at as usize].operation, Operation::Matrix(_));
        (is_matrix && matches!(f.state, State::Exchange(_))).then_some(at)
    };
    if let Some((warp, fiber, at)) = all().find_map(|(w, f)| Some((w, f, matrix(f)?))) {
        let (lane, cause) = super::matrix::partial(warp.live, fiber.mask());
        return failure(warp.index, lane, at, cause);
    }
    let Some((warp, fiber)) = all().next() else {
        return failure(0, 0, 0, Cause::Deadlock("no thread can go on".to_string()));
    };
    let lane = lanes(fiber.mask()).next().unwrap_or(0);
    match fiber.state {
        State::Barrier(at) => {
            let (number, count) = barrier_of(cx, warp, fiber, at);
            let here: u32 = all()
                .filter(|(w, f)| matches!(f.state, State::Barrier(at) if barrier_of(cx, w, f, at).0 == number))
                .map(|(_, f)| f.mask().count_ones())
                .sum();
            let wanted = count.unwrap_or(live);
            let text = format!(
                "{here} of {wanted} threads wait at barrier {number}, and the others of the block's {live} live threads wait elsewhere"
            );
            failure(warp.index, lane, at, Cause::Deadlock(text))
        }
        State::Cluster(at) => {
            let text = "it waits at the barrier of its cluster, at which others never arrive";
            failure(warp.index, lane, at, Cause::Deadlock(text.to_string()))
        }
        State::Products(_) => {
            let first = fiber.stack.last().map(|f| cx.program.blocks[f.block as usize].first);
            let at = first.map_or(0, |first| first + fiber.executed);
            let text =
                "it waits for a product (wgmma) to which not all four warps of its warpgroup come";
            failure(warp.index, lane, at, Cause::Deadlock(text.to_string()))
        }
        State::Exchange(members) => {
            let at = fiber.stack.last().map_or(0, |f| cx.program.blocks[f.block as usize].first);
            let text = format!(
                "lanes {:#010x} of warp {} wait for lanes {:#010x}, which never arrive",
                fiber.mask(),
                warp.index,
                members & !fiber.mask() & warp.live
            );
            failure(warp.index, lane, at, Cause::Deadlock(text))
        }
        State::Ready => {
            failure(warp.index, lane, 0, Cause::Deadlock("no thread can go on".to_string()))
        }
    }
}

/// Reports a block whose threads spin without progress.
pub(super) fn livelock(cx: &Context, warps: &[Warp]) -> Box<Failure> {
    let spinning = || {
        let all = warps.iter().flat_map(|w| w.fibers.iter().map(move |f| (w, f)));
        all.filter(|(_, f)| f.state == State::Ready)
    };
    // Best one that others of its own warp wait for. Bytes that never come are the cause of arrivals that never come.
    let held_up = spinning().find(|(_, f)| f.waiting() != 0);
    let lacks_bytes =
        || spinning().find(|(w, f)| awaited_barrier(cx, w, f).is_some_and(|it| it.lacks_bytes()));
    let Some((warp, fiber)) = held_up.or_else(lacks_bytes).or_else(|| spinning().next()) else {
        return deadlock(cx, warps);
    };
    let (at, mask) = (place(cx, fiber), fiber.running());
    let lane = lanes(mask).next().unwrap_or(0);
    let cause = if fiber.waiting() != 0 {
        let waiting = fiber.waiting_at().map(|(lanes, block)| (lanes, next_deed(cx, block)));
        Cause::WarpDeadlock { spinning: mask, waiting: waiting.collect() }
    } else {
        let barrier = awaited_barrier(cx, warp, fiber).map(|it| it.awaited());
        let mut text = barrier.map_or_else(String::new, |text| format!(" at an mbarrier: {text}"));
        // Who waits for whom: producer and consumer.
        let other = spinning().filter(|(_, f)| place(cx, f) != at).find_map(|(w, f)| {
            let waits_for = awaited_barrier(cx, w, f)?.awaited();
            let (lanes, line) = (lanes_named(f.running()), line_of(cx, place(cx, f)));
            Some(format!("; {lanes} of warp {} wait at {line}: {waits_for}", w.index))
        });
        text.extend(other);
        Cause::Livelock(format!(
            "{} of warp {} repeat the same state{text}",
            lanes_named(mask),
            warp.index
        ))
    };
    failure(warp.index, lane, at, cause)
}

/// The instruction at which a fiber spins.
fn place(cx: &Context, fiber: &Fiber) -> u32 {
    let block = fiber.stack.last().and_then(|f| cx.program.blocks.get(f.block as usize));
    fiber.waits_at.unwrap_or_else(|| block.map_or(0, |block| block.first))
}

/// The line of an instruction: that of the source, if it is known.
fn line_of(cx: &Context, at: u32) -> String {
    match cx.kernel.origin(at) {
        None => format!("line {} of the PTX", cx.program.lines[at as usize].0),
        Some(origin) if origin.inlined.is_some() => origin.to_string(),
        Some(origin) => format!("line {}", origin.at.line),
    }
}

/// The `mbarrier` at which a fiber polls.
fn awaited_barrier(cx: &Context, warp: &Warp, fiber: &Fiber) -> Option<mbarrier::State> {
    let (at, lane) = (place(cx, fiber), lanes(fiber.running()).next()?);
    let Operation::Load(k) = cx.program.code[at as usize].operation else { return None };
    if !cx.kernel.instruction(at).opcode.starts_with("mbarrier.") {
        return None;
    }
    let bits = warp.registers.double(cx.program.accesses[k as usize].data[0])[lane];
    Some(mbarrier::State::new(bits))
}

/// Reports a block that still runs when its launch exceeds the limit.
pub(super) fn overdue(cx: &Context, warps: &[Warp]) -> Box<Failure> {
    Box::new(Failure { cause: Cause::Overdue, ..*livelock(cx, warps) })
}

/// What threads do first in a block that others would notice, or its beginning.
fn next_deed(cx: &Context, block: u32) -> u32 {
    let Some(block) = cx.program.blocks.get(block as usize) else { return 0 };
    (block.first..block.end)
        .find(|&at| {
            let operation = cx.program.code[at as usize].operation;
            matches!(operation, Operation::Store(_) | Operation::Atomic(_) | Operation::Barrier(_))
        })
        .unwrap_or(block.first)
}

/// Lanes in a message.
fn lanes_named(mask: u32) -> String {
    if mask == u32::MAX { "all 32 lanes".to_string() } else { format!("lanes {mask:#010x}") }
}

fn failure(warp: u32, lane: usize, at: u32, cause: Cause) -> Box<Failure> {
    Box::new(Failure { cause, lane, warp, at })
}
