//! Exchanges between the lanes of a warp: shuffles, votes, matches, reductions.

use super::listener::Arrival;
use program::registers::{File, LANES, Operands, Registers, Value, lanes};
use program::{Exchange, ExchangeKind, Operation, Program, Reduction, Shuffle};
use semantics::float32;

/// The lanes of `mask` by the masks that they give, each group with its mask: groups of lanes may exchange among
/// themselves in one instruction.
#[inline]
pub(super) fn groups(
    registers: &Registers,
    exchange: &Exchange,
    mask: u32,
) -> impl Iterator<Item = (u32, u32)> + use<> {
    let members = exchange.members.map_or([mask; LANES], |members| *registers.word(members));
    let mut left = mask;
    std::iter::from_fn(move || {
        let given = members[lanes(left).next()?];
        if members == [given; LANES] {
            return Some((std::mem::take(&mut left), given));
        }
        let mut same = 0;
        for (lane, other) in members.iter().enumerate() {
            same |= u32::from(*other == given) << lane;
        }
        let group = same & left;
        left &= !group;
        Some((group, given))
    })
}

/// Executes an exchange among the lanes of `mask`.
pub(super) fn execute(registers: &mut Registers, exchange: &Exchange, i: &Operands, mask: u32) {
    let vote = |registers: &Registers, negated: bool| {
        let predicate = registers.predicate(i.a);
        mask & if negated { !predicate } else { predicate }
    };
    match exchange.kind {
        ExchangeKind::Shuffle(shuffle) => {
            self::shuffle(registers, shuffle, exchange.second, i, mask)
        }
        ExchangeKind::All(negated) => {
            let all = vote(registers, negated) == mask;
            registers.set_predicate(i.d, mask, spread(all));
        }
        ExchangeKind::Any(negated) => {
            let any = vote(registers, negated) != 0;
            registers.set_predicate(i.d, mask, spread(any));
        }
        ExchangeKind::Uniform(negated) => {
            let votes = vote(registers, negated);
            registers.set_predicate(i.d, mask, spread(votes == mask || votes == 0));
        }
        ExchangeKind::Ballot(negated) => {
            let votes = vote(registers, negated);
            set_all(registers, i.d, mask, votes);
        }
        ExchangeKind::ActiveMask => set_all(registers, i.d, mask, mask),
        ExchangeKind::Elect => {
            set_all(registers, i.d, mask, mask.trailing_zeros());
            if let Some(second) = exchange.second {
                registers.set_predicate(second, mask, mask & mask.wrapping_neg());
            }
        }
        ExchangeKind::MatchAny(file) => {
            let values = values(registers, file, i.a);
            for lane in lanes(mask) {
                let same = lanes(mask).filter(|&other| values[other] == values[lane]);
                registers.word_mut(i.d)[lane] = same.fold(0, |m, other| m | 1 << other);
            }
        }
        ExchangeKind::MatchAll(file) => {
            let values = values(registers, file, i.a);
            let first = values[mask.trailing_zeros() as usize];
            let all = lanes(mask).all(|lane| values[lane] == first);
            set_all(registers, i.d, mask, if all { mask } else { 0 });
            if let Some(second) = exchange.second {
                registers.set_predicate(second, mask, spread(all));
            }
        }
        ExchangeKind::Reduce(reduction) => {
            let values = *registers.word(i.a);
            let mut all = lanes(mask).map(|lane| values[lane]);
            let first = all.next().unwrap_or(0);
            // One value alone, too, is made absolute, and a NaN the canonical one.
            let first = match reduction {
                Reduction::Single { .. } => reduce(reduction, first, first),
                _ => first,
            };
            let reduced = all.fold(first, |a, b| reduce(reduction, a, b));
            set_all(registers, i.d, mask, reduced);
        }
        ExchangeKind::Synchronise => {}
    }
}

/// How many turns a match takes: one for each value of `match.any`, one in all for `match.all`; 0 if the exchange is none.
pub fn match_turns(program: &Program, registers: &Registers, arrival: Arrival) -> u64 {
    let instruction = &program.code[arrival.at as usize];
    let Operation::Exchange(k) = instruction.operation else { return 0 };
    let file = match program.exchanges[k as usize].kind {
        ExchangeKind::MatchAny(file) => file,
        ExchangeKind::MatchAll(_) => return 1,
        _ => return 0,
    };
    let values = values(registers, file, instruction.operands.a);
    let mut different: Vec<u64> = lanes(arrival.mask).map(|lane| values[lane]).collect();
    different.sort_unstable();
    different.dedup();
    different.len() as u64
}

fn spread(value: bool) -> u32 {
    if value { u32::MAX } else { 0 }
}

fn set_all(registers: &mut Registers, index: u16, mask: u32, value: u32) {
    u32::write(registers, index, mask, &[value; LANES]);
}

fn values(registers: &Registers, file: File, index: u16) -> [u64; LANES] {
    match file {
        File::Doubles => *registers.double(index),
        _ => registers.word(index).map(u64::from),
    }
}

fn reduce(reduction: Reduction, a: u32, b: u32) -> u32 {
    match reduction {
        Reduction::Add => a.wrapping_add(b),
        Reduction::And => a & b,
        Reduction::Or => a | b,
        Reduction::Xor => a ^ b,
        Reduction::MinUnsigned => a.min(b),
        Reduction::MaxUnsigned => a.max(b),
        Reduction::MinSigned => (a as i32).min(b as i32) as u32,
        Reduction::MaxSigned => (a as i32).max(b as i32) as u32,
        Reduction::Single { greatest, absolute, nan } => {
            let [a, b] = [a, b].map(f32::from_bits);
            let [a, b] = if absolute { [a.abs(), b.abs()] } else { [a, b] };
            let choose = if greatest { float32::max } else { float32::min };
            choose(a, b, nan).to_bits()
        }
    }
}

/// The lane whose value a lane gets, as the pseudocode of `shfl` in the ISA has it: the segment mask and the clamp come
/// from `c`. `None` if that is beyond its segment.
#[inline]
pub fn source(shuffle: Shuffle, lane: usize, b: u32, c: u32) -> Option<usize> {
    let by = (b & 0x1f) as i32;
    let clamp = (c & 0x1f) as i32;
    let segment = (c >> 8 & 0x1f) as i32;
    let at = lane as i32;
    let highest = (at & segment) | (clamp & !segment);
    let lowest = at & segment;
    let (from, inside) = match shuffle {
        // For `up` the clamp is the lowest lane: usually 0.
        Shuffle::Up => (at - by, at - by >= highest),
        Shuffle::Down => (at + by, at + by <= highest),
        Shuffle::Butterfly => (at ^ by, (at ^ by) <= highest),
        Shuffle::Index => (lowest | (by & !segment), (lowest | (by & !segment)) <= highest),
    };
    inside.then_some(from as usize)
}

/// A lane that is not there gives its own last value, where the ISA leaves the result undefined.
fn shuffle(
    registers: &mut Registers,
    shuffle: Shuffle,
    second: Option<u16>,
    i: &Operands,
    mask: u32,
) {
    let (a, b, c) = (*registers.word(i.a), *registers.word(i.b), *registers.word(i.c));
    let mut valid = 0;
    let mut values = a;
    for lane in 0..LANES {
        let from = source(shuffle, lane, b[lane], c[lane]);
        valid |= u32::from(from.is_some()) << lane;
        values[lane] = a[from.unwrap_or(lane) & (LANES - 1)];
    }
    u32::write(registers, i.d, mask, &values);
    if let Some(second) = second {
        registers.set_predicate(second, mask, valid);
    }
}
