//! Shuffles, votes and the like whose mask and lanes do not fit.
//!
//! The ISA leaves the result undefined where a lane executes one without being named in its own mask, where those that
//! name each other give different masks, and where a lane reads from one that does not take part. Groups of lanes may
//! each have a mask of their own. A lane that ended may still be named: nobody waits for it. One that never was is
//! named by mistake: a block that is no multiple of 32 threads.

use super::finding::Exchange;
use crate::exec::context::Context;
use crate::exec::exchange::source;
use crate::exec::listener::Arrival;
use crate::program::{ExchangeKind, Operation};
use crate::registers::{LANES, Registers, lanes};

/// What is wrong with an exchange that is about to be executed, and the lane to blame.
pub(super) fn wrong(cx: &Context, r: &Registers, arrival: Arrival) -> Option<(Exchange, u32)> {
    let instruction = &cx.program.code[arrival.at as usize];
    let Operation::Exchange(k) = instruction.operation else { return None };
    let exchange = &cx.program.exchanges[k as usize];
    let members = r.word(exchange.members?);
    // A whole warp that names itself: lanes that are there all take part.
    if arrival.mask == u32::MAX && *members == [u32::MAX; LANES] {
        return None;
    }
    let first = arrival.mask.trailing_zeros();
    let unnamed = lanes(arrival.mask)
        .filter(|&lane| members[lane] >> lane & 1 == 0)
        .fold(0, |unnamed, lane| unnamed | 1 << lane);
    if unnamed != 0 {
        return Some((Exchange::Unnamed(unnamed), unnamed.trailing_zeros()));
    }
    let differs = |lane: usize| {
        let mask = members[lane];
        let others = lanes(mask & arrival.mask).filter(|&other| members[other] != mask);
        let others = others.fold(0, |lanes, other| lanes | 1 << other);
        (others != 0).then_some((Exchange::Differs { lanes: others, mask }, lane as u32))
    };
    let is_one_group = lanes(arrival.mask).all(|lane| members[lane] == members[first as usize]);
    if !is_one_group && let Some(differs) = lanes(arrival.mask).find_map(differs) {
        return Some(differs);
    }
    if exchange.kind == ExchangeKind::Synchronise {
        return None;
    }
    let threads: u32 = cx.threads.iter().product();
    let there = threads - arrival.warp * LANES as u32;
    let named = lanes(arrival.mask).fold(0, |named, lane| named | members[lane]);
    let missing = named & u32::MAX.checked_shl(there).unwrap_or(0);
    if missing != 0 {
        return Some((Exchange::Missing(missing), first));
    }
    let ExchangeKind::Shuffle(shuffle) = exchange.kind else { return None };
    let (b, c) = (r.word(instruction.operands.b), r.word(instruction.operands.c));
    lanes(arrival.mask).find_map(|lane| {
        let from = source(shuffle, lane, b[lane], c[lane])? as u32;
        let there = arrival.mask & members[lane];
        (there >> from & 1 == 0).then_some((Exchange::Reads { from }, lane as u32))
    })
}
