//! A warp's accesses to [`WeakMemory`](super::weak::WeakMemory).

use super::context::Context;
use super::spaces::{Place, place};
use super::transfer::addresses;
use super::weak::{Actor, UNIT};
use program::registers::{File, Registers, lanes};
use program::{Access, Atomic, Cell, Order, Scope};
use ptx::Space;

fn actor(cx: &Context, warp: u32, order: Order, scope: Scope) -> Actor {
    Actor { block: cx.block_number(), warp, order, spans: scope.spans_blocks() }
}

/// The active lanes' units in global memory, for accesses of so many bytes.
fn units(cx: &Context, space: Space, (addresses, bytes, mask): (&[u64; 32], u64, u32)) -> Vec<u64> {
    let is_global = |&address: &u64| place(&cx.spaces, space, address) == Place::Global;
    let all = lanes(mask).map(|lane| addresses[lane]).filter(is_global);
    all.flat_map(|address| (address & !(UNIT - 1)..address + bytes).step_by(UNIT as usize))
        .collect()
}

/// A store by the lanes of `mask`, before (`begins`) or after it is executed. A weak one is kept only where strong ones were.
pub(super) fn store(
    cx: &mut Context,
    registers: &Registers,
    access: &Access,
    (warp, mask): (u32, u32),
    begins: bool,
) {
    let is_kept = access.strong || cx.weak.as_ref().is_some_and(|weak| weak.has_any());
    if !is_kept || begins && !access.strong {
        return;
    }
    let by = actor(cx, warp, access.order, access.scope);
    let by = Actor { spans: by.spans && access.strong, ..by };
    let bytes = access.cell.bytes() * u64::from(access.count);
    let addresses = addresses(registers, access.address, access.plus);
    written(cx, access.space, (&addresses, bytes, mask), by, (begins, false));
}

/// The same for an atomic; its old addresses, since it may overwrite their register.
pub(super) fn atomic(
    cx: &mut Context,
    addresses: &[u64; 32],
    atomic: &Atomic,
    (warp, mask): (u32, u32),
    begins: bool,
) {
    let by = actor(cx, warp, atomic.order, atomic.scope);
    let bytes = atomic.value.bytes() * u64::from(atomic.count);
    written(cx, atomic.space, (addresses, bytes, mask), by, (begins, true));
}

fn written(
    cx: &mut Context,
    space: Space,
    what: (&[u64; 32], u64, u32),
    by: Actor,
    (begins, is_atomic): (bool, bool),
) {
    let units = units(cx, space, what);
    let is_part = what.1 < UNIT;
    let (Some(weak), memory) = (&mut cx.weak, cx.spaces.memory) else { return };
    for unit in units {
        if begins {
            weak.begin(memory, unit);
        } else {
            weak.write(memory, unit, by, (is_atomic, is_part));
        }
    }
}

/// Lets a strong load that has been executed return older values; whether it does in any lane.
pub(super) fn load(
    cx: &mut Context,
    registers: &mut Registers,
    addresses: &[u64; 32],
    (k, access): (u32, &Access),
    (warp, mask): (u32, u32),
) -> bool {
    let by = actor(cx, warp, access.order, access.scope);
    let size = access.cell.bytes();
    let mut is_older = false;
    for lane in lanes(mask) {
        if place(&cx.spaces, access.space, addresses[lane]) != Place::Global {
            continue;
        }
        let Some(weak) = &mut cx.weak else { return false };
        let is_dependent = weak.dependent[k as usize];
        for k in 0..access.count {
            let address = addresses[lane] + size * u64::from(k);
            let Some(unit) = weak.read(address & !(UNIT - 1), by, is_dependent) else { continue };
            is_older = true;
            if access.dropped >> k & 1 == 0 {
                let value = extended(unit >> (8 * (address % UNIT)), access.cell);
                let d = access.data[usize::from(k)];
                match access.file {
                    File::Doubles => registers.double_mut(d)[lane] = value,
                    _ => registers.word_mut(d)[lane] = value as u32,
                }
            }
        }
    }
    is_older
}

/// A value of a cell as a register of 64 bits holds it.
fn extended(bits: u64, cell: Cell) -> u64 {
    match cell {
        Cell::U8 => bits & 0xff,
        Cell::I8 => bits as i8 as i64 as u64,
        Cell::U16 => bits & 0xffff,
        Cell::I16 => bits as i16 as i64 as u64,
        Cell::B32 => bits & 0xffff_ffff,
        Cell::I32 => bits as i32 as i64 as u64,
        Cell::B64 => bits,
    }
}
