//! Atomic operations of a warp, lane after lane.

use super::cause::Cause;
use super::mbarrier::State;
use super::spaces::{Refused, Spaces, refuse, window};
use super::transfer::{addresses, scattered};
use memory::Storage;
use program::registers::{LANES, Registers};
use program::{Atomic, AtomicOperation, AtomicType};
use semantics::Rounding::Nearest;
use semantics::half::{Format, pack};
use semantics::{float32, float64};

/// Executes an atomic in the lanes of `mask`, which is not empty; whether it changed anything.
pub(super) fn execute(
    spaces: &Spaces,
    registers: &mut Registers,
    local: &Storage,
    atomic: &Atomic,
    mask: u32,
) -> Result<bool, Refused> {
    let addresses = addresses(registers, atomic.address, atomic.plus);
    execute_at(spaces, registers, local, (atomic, &addresses), mask)
}

/// The same at these addresses.
#[inline]
pub(super) fn execute_at(
    spaces: &Spaces,
    registers: &mut Registers,
    local: &Storage,
    (atomic, addresses): (&Atomic, &[u64; LANES]),
    mask: u32,
) -> Result<bool, Refused> {
    let size = atomic.value.bytes();
    let bytes = size * u64::from(atomic.count);
    let lane = mask.trailing_zeros() as usize;
    let mut hint = u32::MAX;
    let window = window(spaces, local, atomic.space, addresses[lane], true, &mut hint)
        .ok_or_else(|| refuse(spaces, lane, atomic.space, addresses[lane], bytes, true))?;
    let space = atomic.space;
    let mut changed = false;
    // A lane whose `mbarrier` nobody has initialised.
    let mut too_early = None;
    let kept = u64::MAX >> (64 - 8 * size);
    scattered(
        spaces,
        local,
        space,
        &window,
        addresses,
        bytes,
        &mut hint,
        mask,
        true,
        |storage, offset, lane| {
            if atomic.value == AtomicType::Wide {
                changed |= swap_wide(storage, offset, registers, atomic, lane);
                return;
            }
            for (element, &data) in atomic.data[..usize::from(atomic.count)].iter().enumerate() {
                let k = element as u64;
                let (value, other) = if size == 8 {
                    (registers.double(data)[lane], registers.double(atomic.other[0])[lane])
                } else {
                    let word = |index| u64::from(registers.word(index)[lane]);
                    (word(data), word(atomic.other[0]))
                };
                let new = |old| updated((atomic.operation, atomic.value), old, value, other);
                let old = storage.update(offset + size * k, size, new);
                changed |= (new(old) ^ old) & kept != 0;
                if atomic.value == AtomicType::Barrier && !State::new(old).has_begun() {
                    too_early = too_early.or(Some(lane));
                }
                match atomic.result {
                    Some(d) if size == 8 => registers.double_mut(d[element])[lane] = old,
                    Some(d) => registers.word_mut(d[element])[lane] = old as u32,
                    None => {}
                }
            }
        },
    )?;
    match too_early {
        Some(lane) => Err(Box::new((lane, Cause::TooEarly))),
        None => Ok(changed),
    }
}

/// Swaps 16 bytes in one lane; whether that changed anything.
fn swap_wide(
    storage: &Storage,
    offset: u64,
    registers: &mut Registers,
    atomic: &Atomic,
    lane: usize,
) -> bool {
    let pair = |[low, high]: [u16; 2]| [low, high].map(|d| registers.double(d)[lane]);
    let (value, other) = (pair([atomic.data[0], atomic.data[1]]), pair(atomic.other));
    let new = |old: [u64; 2]| match atomic.operation {
        AtomicOperation::CompareExchange if old == value => other,
        AtomicOperation::CompareExchange => old,
        _ => value,
    };
    let old = storage.update_pair(offset, new);
    if let Some([low, high, ..]) = atomic.result {
        registers.double_mut(low)[lane] = old[0];
        registers.double_mut(high)[lane] = old[1];
    }
    new(old) != old
}

/// What an atomic puts in the place of `old`; bits above its type's width do not matter.
pub(super) fn updated(
    (operation, of): (AtomicOperation, AtomicType),
    old: u64,
    value: u64,
    other: u64,
) -> u64 {
    use AtomicOperation::*;
    match (operation, of) {
        (And, _) => old & value,
        (Or, _) => old | value,
        (Xor, _) => old ^ value,
        (Exchange, _) => value,
        (Add, AtomicType::F32) => {
            let [old, value] = [old, value].map(|bits| f32::from_bits(bits as u32));
            u64::from(float32::add(old, value, Nearest).to_bits())
        }
        (Add, AtomicType::F64) => {
            float64::add(f64::from_bits(old), f64::from_bits(value), Nearest).to_bits()
        }
        (Add | Min | Max, AtomicType::Half(format)) => {
            u64::from(half(operation, format, old as u16, value as u16))
        }
        (Add | Min | Max, AtomicType::Halves(format)) => {
            let part = |at| half(operation, format, (old >> at) as u16, (value >> at) as u16);
            u64::from(pack(part(16), part(0)))
        }
        (Add, _) => old.wrapping_add(value),
        (Arrive, _) => State::new(old).arrive(value, false).bits(),
        (ArriveAndDrop, _) => State::new(old).arrive(value, true).bits(),
        (Complete, _) => State::new(old).complete(value).bits(),
        (Increment, _) => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        (Decrement, _) => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        (Min, AtomicType::I32) => (old as i32).min(value as i32) as u64,
        (Max, AtomicType::I32) => (old as i32).max(value as i32) as u64,
        (Min, AtomicType::I64) => (old as i64).min(value as i64) as u64,
        (Max, AtomicType::I64) => (old as i64).max(value as i64) as u64,
        (Min, _) => old.min(value),
        (Max, _) => old.max(value),
        (CompareExchange, AtomicType::U16) => {
            if old == value & 0xffff {
                other
            } else {
                old
            }
        }
        (CompareExchange, _) => {
            if old == value {
                other
            } else {
                old
            }
        }
    }
}

/// One number of 16 bits.
fn half(operation: AtomicOperation, format: Format, a: u16, b: u16) -> u16 {
    match operation {
        AtomicOperation::Min => format.min(a, b, false),
        AtomicOperation::Max => format.max(a, b, false),
        _ => format.add(a, b),
    }
}
