//! Shuffles, votes and the like whose mask and lanes do not fit.
//!
//! The ISA leaves the result undefined where a lane executes one without being named in its own mask, and where it reads
//! from a lane that does not take part. A lane that ended may still be named: nobody waits for it. One that never was is
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
    let first = arrival.mask.trailing_zeros();
    let unnamed = lanes(arrival.mask)
        .filter(|&lane| members[lane] >> lane & 1 == 0)
        .fold(0, |unnamed, lane| unnamed | 1 << lane);
    if unnamed != 0 {
        return Some((Exchange::Unnamed(unnamed), unnamed.trailing_zeros()));
    }
    if exchange.kind == ExchangeKind::Synchronise {
        return None;
    }
    let threads: u32 = cx.threads.iter().product();
    let there = threads - arrival.warp * LANES as u32;
    let missing = members[first as usize] & u32::MAX.checked_shl(there).unwrap_or(0);
    if missing != 0 {
        return Some((Exchange::Missing(missing), first));
    }
    let ExchangeKind::Shuffle(shuffle) = exchange.kind else { return None };
    let (b, c) = (r.word(instruction.operands.b), r.word(instruction.operands.c));
    lanes(arrival.mask).find_map(|lane| {
        let from = source(shuffle, lane, b[lane], c[lane])? as u32;
        (arrival.mask >> from & 1 == 0).then_some((Exchange::Reads { from }, lane as u32))
    })
}
