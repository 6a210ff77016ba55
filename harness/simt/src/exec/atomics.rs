//! Atomic operations of a warp, lane after lane.

use std::sync::atomic::Ordering::Relaxed;

use super::Context;
use super::memory::{addresses, scattered};
use super::registers::Registers;
use super::window::{Refused, refuse, window};
use crate::lower::program::{Atomic, AtomicOperation, AtomicType};
use crate::memory::Storage;
use crate::semantics::Rounding::Nearest;
use crate::semantics::{float32, float64};

/// Executes an atomic in the lanes of `mask`, which is not empty.
pub(super) fn execute(
    cx: &Context,
    registers: &mut Registers,
    local: &Storage,
    atomic: &Atomic,
    mask: u32,
) -> Result<(), Refused> {
    let size = match atomic.value {
        AtomicType::U16 => 2,
        AtomicType::U32 | AtomicType::I32 | AtomicType::F32 => 4,
        AtomicType::U64 | AtomicType::I64 | AtomicType::F64 => 8,
    };
    let bytes = size * u64::from(atomic.count);
    let addresses = addresses(registers, atomic.address, atomic.plus);
    let lane = mask.trailing_zeros() as usize;
    let mut hint = u32::MAX;
    let window = window(cx, local, atomic.space, addresses[lane], &mut hint)
        .ok_or_else(|| refuse(lane, atomic.space, addresses[lane], bytes, true))?;
    let space = atomic.space;
    scattered(
        cx,
        local,
        space,
        &window,
        &addresses,
        bytes,
        &mut hint,
        mask,
        true,
        |storage, offset, lane| {
            for (k, &data) in (0..u64::from(atomic.count)).zip(&atomic.data) {
                let old = match size {
                    8 => {
                        let (value, other) =
                            (registers.double(data)[lane], registers.double(atomic.other)[lane]);
                        update64(storage, offset, atomic, value, other)
                    }
                    4 => {
                        let (value, other) =
                            (registers.word(data)[lane], registers.word(atomic.other)[lane]);
                        u64::from(update32(storage, offset + 4 * k, atomic, value, other))
                    }
                    _ => {
                        let (value, other) =
                            (registers.word(data)[lane], registers.word(atomic.other)[lane]);
                        let cell = storage.atomic_u16(offset);
                        let (Ok(old) | Err(old)) =
                            cell.compare_exchange(value as u16, other as u16, Relaxed, Relaxed);
                        u64::from(old)
                    }
                };
                match atomic.result {
                    Some(d) if size == 8 => registers.double_mut(d)[lane] = old,
                    Some(d) => registers.word_mut(d)[lane] = old as u32,
                    None => {}
                }
            }
        },
    )
}

fn update32(storage: &Storage, offset: u64, atomic: &Atomic, value: u32, other: u32) -> u32 {
    use AtomicOperation::*;
    let cell = storage.atomic_u32(offset);
    let change = |f: &dyn Fn(u32) -> u32| {
        let (Ok(old) | Err(old)) = cell.fetch_update(Relaxed, Relaxed, |old| Some(f(old)));
        old
    };
    match (atomic.operation, atomic.value) {
        (And, _) => cell.fetch_and(value, Relaxed),
        (Or, _) => cell.fetch_or(value, Relaxed),
        (Xor, _) => cell.fetch_xor(value, Relaxed),
        (Exchange, _) => cell.swap(value, Relaxed),
        (Add, AtomicType::F32) => change(&|old| {
            float32::add(f32::from_bits(old), f32::from_bits(value), Nearest).to_bits()
        }),
        (Add, _) => cell.fetch_add(value, Relaxed),
        (Increment, _) => change(&|old| if old >= value { 0 } else { old + 1 }),
        (Decrement, _) => change(&|old| if old == 0 || old > value { value } else { old - 1 }),
        (Min, AtomicType::I32) => change(&|old| (old as i32).min(value as i32) as u32),
        (Max, AtomicType::I32) => change(&|old| (old as i32).max(value as i32) as u32),
        (Min, _) => cell.fetch_min(value, Relaxed),
        (Max, _) => cell.fetch_max(value, Relaxed),
        (CompareExchange, _) => {
            let (Ok(old) | Err(old)) = cell.compare_exchange(value, other, Relaxed, Relaxed);
            old
        }
    }
}

fn update64(storage: &Storage, offset: u64, atomic: &Atomic, value: u64, other: u64) -> u64 {
    use AtomicOperation::*;
    let cell = storage.atomic_u64(offset);
    let change = |f: &dyn Fn(u64) -> u64| {
        let (Ok(old) | Err(old)) = cell.fetch_update(Relaxed, Relaxed, |old| Some(f(old)));
        old
    };
    match (atomic.operation, atomic.value) {
        (And, _) => cell.fetch_and(value, Relaxed),
        (Or, _) => cell.fetch_or(value, Relaxed),
        (Xor, _) => cell.fetch_xor(value, Relaxed),
        (Exchange, _) => cell.swap(value, Relaxed),
        (Add, AtomicType::F64) => change(&|old| {
            float64::add(f64::from_bits(old), f64::from_bits(value), Nearest).to_bits()
        }),
        (Add, _) => cell.fetch_add(value, Relaxed),
        (Min, AtomicType::I64) => change(&|old| (old as i64).min(value as i64) as u64),
        (Max, AtomicType::I64) => change(&|old| (old as i64).max(value as i64) as u64),
        (Min, _) => cell.fetch_min(value, Relaxed),
        (Max, _) => cell.fetch_max(value, Relaxed),
        (CompareExchange, _) => {
            let (Ok(old) | Err(old)) = cell.compare_exchange(value, other, Relaxed, Relaxed);
            old
        }
        (Increment | Decrement, _) => unreachable!("lowering gives inc and dec 32 bits"),
    }
}
