//! A warp's accesses to [`WeakMemory`](super::weak::WeakMemory).

use super::context::Context;
use super::spaces::{Place, place};
use super::transfer::addresses;
use super::weak::{Actor, Change, WeakMemory, shared_unit};
use program::registers::{File, Registers, lanes};
use program::{Access, Atomic, Cell, Order, Scope};
use ptx::Space;
use ptx::space::SHARED_WINDOW;

/// A store or an atomic of a warp.
#[derive(Clone, Copy)]
pub(super) struct Stores {
    space: Space,
    /// Its old addresses, since an atomic may overwrite their register.
    addresses: [u64; 32],
    bytes: u64,
    mask: u32,
    by: Actor,
    is_atomic: bool,
}

impl Stores {
    /// Before the lanes of `mask` store; nothing where memory is not weak, or where a store is and there was no strong one.
    pub(super) fn begin(
        cx: &mut Context,
        registers: &Registers,
        access: &Access,
        (warp, mask): (u32, u32),
    ) -> Option<Stores> {
        cx.weak.as_ref().filter(|weak| access.strong || weak.has_any())?;
        let by = actor(cx, warp, access.order, access.strong.then_some(access.scope));
        let bytes = access.cell.bytes() * u64::from(access.count);
        let addresses = addresses(registers, access.address, access.plus);
        let space = access.space;
        Some(Stores { space, addresses, bytes, mask, by, is_atomic: false }.prepare(cx))
    }

    /// An atomic, which is to be [prepared](Stores::prepare) before it is executed.
    pub(super) fn of_atomic(
        cx: &Context,
        registers: &Registers,
        (k, atomic): (u32, &Atomic),
        (warp, mask): (u32, u32),
    ) -> Option<Stores> {
        cx.weak.as_ref()?;
        let source = cx.program.accesses.len() + k as usize;
        let by = Actor { source, ..actor(cx, warp, atomic.order, Some(atomic.scope)) };
        let bytes = atomic.value.bytes() * u64::from(atomic.count);
        let addresses = addresses(registers, atomic.address, atomic.plus);
        let space = atomic.space;
        Some(Stores { space, addresses, bytes, mask, by, is_atomic: true })
    }

    /// Whether it is strong.
    pub(super) fn is_strong(&self) -> bool {
        self.by.scope.is_some()
    }

    /// Keeps what it will overwrite, and decides which lanes' stores take their places before writes that were executed
    /// already.
    pub(super) fn prepare(self, cx: &mut Context) -> Stores {
        cx.early = 0;
        if !self.is_strong() {
            return self;
        }
        let units = units(cx, &self);
        let Some(weak) = &mut cx.weak else { return self };
        for &(_, unit) in &units {
            weak.begin(&cx.spaces, unit, self.by.block);
        }
        if !self.is_atomic && self.bytes.is_multiple_of(weak.unit) && weak.hurries(self.by.block) {
            for (lane, unit) in units {
                cx.early |= u32::from(!weak.earlier(unit, self.by).is_empty()) << lane;
            }
        }
        self
    }

    /// After it is executed. A weak one is kept only where strong ones were.
    pub(super) fn end(self, cx: &mut Context) {
        if !cx.weak.as_ref().is_some_and(WeakMemory::has_any) {
            return;
        }
        let units = units(cx, &self);
        let Some(weak) = &mut cx.weak else { return };
        let (is_atomic, is_whole) = (self.is_atomic, self.bytes.is_multiple_of(weak.unit));
        for (lane, unit) in units {
            let is_early = cx.early >> lane & 1 != 0;
            let change = Change { is_atomic, is_whole, is_early };
            weak.write(&cx.spaces, unit, self.by, change);
        }
    }
}

fn actor(cx: &Context, warp: u32, order: Order, scope: Option<Scope>) -> Actor {
    Actor { block: cx.block_number(), warp, order, scope, source: 0 }
}

/// The number of an address among units, if it is one of global memory, or of shared memory where that matters.
fn number(cx: &Context, space: Space, address: u64) -> Option<u64> {
    match place(&cx.spaces, space, address) {
        Place::Global => cx.weak.as_ref()?.in_global.then_some(address),
        // Writes of other blocks are not kept: where they reach it, shared memory is not weak.
        Place::Shared if cx.weak.as_ref()?.in_shared && cx.clusters.size() == 1 => {
            let offset = if space == Space::Generic { address - SHARED_WINDOW } else { address };
            Some(shared_unit(cx.block_number(), offset))
        }
        _ => None,
    }
}

/// The units of the active lanes, and their lanes.
fn units(cx: &Context, stores: &Stores) -> Vec<(usize, u64)> {
    let &Stores { space, ref addresses, bytes, mask, .. } = stores;
    let size = cx.weak.as_ref().map_or(1, |weak| weak.unit);
    let all = lanes(mask).filter_map(|lane| Some((lane, number(cx, space, addresses[lane])?)));
    all.flat_map(|(lane, first)| {
        (first & !(size - 1)..first + bytes).step_by(size as usize).map(move |unit| (lane, unit))
    })
    .collect()
}

/// Lets a strong load that has been executed return older values; whether it does in any lane. Lanes that load the same bytes
/// get the same value, since memory is read once for all of them.
pub(super) fn load(
    cx: &mut Context,
    registers: &mut Registers,
    addresses: &[u64; 32],
    (k, access): (u32, &Access),
    (warp, mask): (u32, u32),
) -> bool {
    let by = actor(cx, warp, access.order, Some(access.scope));
    let by = Actor { source: k as usize, ..by };
    let size = access.cell.bytes();
    let mut is_older = false;
    let mut read: Vec<(u64, Option<u64>)> = Vec::new();
    for lane in lanes(mask) {
        let Some(first) = number(cx, access.space, addresses[lane]) else { continue };
        let Some(weak) = &mut cx.weak else { return false };
        for k in 0..access.count {
            let (address, unit) = (first + size * u64::from(k), weak.unit);
            let known = read.iter().find(|(other, _)| *other == address).map(|(_, value)| *value);
            let value = known.unwrap_or_else(|| weak.read(address & !(unit - 1), by));
            if known.is_none() {
                read.push((address, value));
            }
            let Some(value) = value else { continue };
            is_older = true;
            if access.dropped >> k & 1 == 0 {
                let value = extended(value >> (8 * (address % unit)), access.cell);
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
