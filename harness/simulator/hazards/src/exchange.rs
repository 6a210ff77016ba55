//! Shuffles, votes and the like with a wrong mask or source lane.
//!
//! The ISA leaves the result undefined if a lane is not in its own mask, if lanes that name each other pass different
//! masks, and if a lane reads from one that does not take part. Separate groups of lanes may pass separate masks. A mask
//! may name a lane that has exited, because nothing waits for it. It must not name one that never existed, as the last
//! warp has in a block that is not a multiple of 32 threads.

use super::finding::Exchange;
use execution::context::Context;
use execution::exchange::source;
use execution::listener::Arrival;
use program::registers::{LANES, Registers, lanes};
use program::{ExchangeKind, Operation};

/// What is wrong with an exchange that is about to execute, and the lane to blame.
pub(super) fn check(cx: &Context, r: &Registers, arrival: Arrival) -> Option<(Exchange, u32)> {
    let instruction = &cx.program.code[arrival.at as usize];
    let Operation::Exchange(k) = instruction.operation else { return None };
    let exchange = &cx.program.exchanges[k as usize];
    let members = r.word(exchange.members?);
    // A whole warp that names itself: all existing lanes take part.
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
