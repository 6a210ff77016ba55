//! Barriers of a block: who waits there, and when all go on.

use super::context::Context;
use super::control::{Fiber, State};
use super::listener::{Arrival, Listener, Order};
use super::warp::Warp;
use program::registers::{LANES, Value};
use program::{BarrierResult, Operation};

/// The number of a barrier, and the threads that it waits for if the program says so.
pub(super) fn barrier_of(
    cx: &Context,
    warp: &Warp,
    fiber: &Fiber,
    at: u32,
) -> (usize, Option<u32>) {
    let i = &cx.program.code[at as usize];
    let Operation::Barrier(k) = i.operation else { return (0, None) };
    let lane = fiber.mask().trailing_zeros() as usize % LANES;
    let number = warp.registers.word(i.operands.a)[lane] as usize % 16;
    let counted = cx.program.barriers[k as usize].counted;
    (number, counted.then(|| warp.registers.word(i.operands.b)[lane]))
}

/// Lets the fibers go on whose barrier is complete. Threads that ended count as arrived.
pub(super) fn release_barriers<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    warps: &mut [Warp],
    arrived: &mut [u32; 16],
) {
    let is_there = |fiber: &Fiber| matches!(fiber.state, State::Barrier(_));
    if !warps.iter().flat_map(|warp| &warp.fibers).any(is_there) {
        return;
    }
    let mut waiting = [0; 16];
    let mut expected = [None; 16];
    let mut results = [(true, false, 0); 16];
    for warp in warps.iter_mut() {
        for k in 0..warp.fibers.len() {
            let State::Barrier(at) = warp.fibers[k].state else { continue };
            let (number, count) = barrier_of(cx, warp, &warp.fibers[k], at);
            let mask = warp.fibers[k].mask();
            let voters = warp.fibers[k].running();
            // A counted barrier counts whole warps, also where the last one is not full.
            let threads =
                if count.is_some() && mask == warp.live { LANES as u32 } else { mask.count_ones() };
            let i = &cx.program.code[at as usize];
            let Operation::Barrier(b) = i.operation else { continue };
            let barrier = cx.program.barriers[b as usize];
            expected[number] = expected[number].or(count);
            if barrier.arrive {
                arrived[number] += threads;
                warp.fibers[k].state = State::Ready;
                let block = cx.block_number();
                if let Some(weak) = &mut cx.weak {
                    weak.arrives((block, warp.index), number);
                }
                if L::LISTENS {
                    let arrival = Arrival { warp: warp.index, mask, at };
                    listener.orders(own, cx, Order::GoesBy { arrival, number });
                }
                continue;
            }
            waiting[number] += threads;
            if barrier.result != BarrierResult::None {
                let predicate = warp.registers.predicate(i.operands.c);
                let set = voters & if barrier.negated { !predicate } else { predicate };
                let (all, any, votes) = &mut results[number];
                *all &= set == voters;
                *any |= set != 0;
                *votes += set.count_ones();
            }
        }
    }
    let live: u32 = warps.iter().map(|w| w.live.count_ones()).sum();
    for number in 0..16 {
        let complete = waiting[number] > 0
            && waiting[number] + arrived[number] >= expected[number].unwrap_or(live);
        if !complete {
            continue;
        }
        arrived[number] = 0;
        let mut arrivals = Vec::new();
        for warp in warps.iter_mut() {
            for k in 0..warp.fibers.len() {
                let State::Barrier(at) = warp.fibers[k].state else { continue };
                if barrier_of(cx, warp, &warp.fibers[k], at).0 == number {
                    warp.fibers[k].state = State::Ready;
                    finish_barrier(cx, warp, k, at, results[number]);
                    if L::LISTENS {
                        let mask = warp.fibers[k].mask();
                        arrivals.push(Arrival { warp: warp.index, mask, at });
                    }
                }
            }
        }
        if L::LISTENS {
            let whole = arrivals.iter().map(|a| a.mask.count_ones()).sum::<u32>() == live;
            let block = cx.block_number();
            if let Some(weak) = &mut cx.weak {
                let mut warps: Vec<u32> = arrivals.iter().map(|arrival| arrival.warp).collect();
                warps.dedup();
                weak.meet(block, number, &warps, whole);
            }
            listener.orders(own, cx, Order::Passes { arrivals: &arrivals, number, whole });
        }
    }
}

/// Gives a fiber the result of its barrier.
fn finish_barrier(
    cx: &Context,
    warp: &mut Warp,
    k: usize,
    at: u32,
    (all, any, votes): (bool, bool, u32),
) {
    let mask = warp.fibers[k].running();
    let i = &cx.program.code[at as usize];
    let Operation::Barrier(b) = i.operation else { return };
    warp.digest = None;
    let spread = |value: bool| if value { u32::MAX } else { 0 };
    match cx.program.barriers[b as usize].result {
        BarrierResult::None => {}
        BarrierResult::And => warp.registers.set_predicate(i.operands.d, mask, spread(all)),
        BarrierResult::Or => warp.registers.set_predicate(i.operands.d, mask, spread(any)),
        BarrierResult::Count => {
            u32::write(&mut warp.registers, i.operands.d, mask, &[votes; LANES])
        }
    }
}
