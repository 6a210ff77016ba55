//! Loads, stores and atomics: reported to a listener and executed, on weak memory where there is one. Each gives whether it
//! touched memory that others see, after which a warp's turn may end.

use super::atomics;
use super::context::Context;
use super::control::Fiber;
use super::listener::{Kind, Listener, Touch};
use super::peers::Peers;
use super::request::{Request, note};
use super::spaces::Refused;
use super::transfer::{self, Transfer, addresses};
use super::warp::Warp;
use super::weak_access::{self, Stores};
use program::registers::{FULL, Registers, lanes};
use program::{Atomic, Operation};
use ptx::Space;

/// Loads what access `k` of the program says.
#[inline(always)]
pub(super) fn load<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    (warp, fiber): (&mut Warp, &mut Fiber),
    k: u32,
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let access = &cx.program.accesses[k as usize];
    let step = step(cx, &warp.registers, k, mask);
    let mut touches = false;
    if access.strong {
        fiber.waits(at, cx.settled[k as usize]);
    }
    if cx.reads.is_on() {
        note(cx, &warp.registers, Request::of_access(access, Kind::Load, step), mask);
    }
    if L::LISTENS {
        let request = Request::of_access(access, Kind::Load, step);
        touches = request.report(cx, (listener, own), warp, at, mask);
    }
    let transfer = Transfer { spaces: &cx.spaces, local: &warp.local, access, mask, step };
    // They may be overwritten.
    let weak = (access.strong && cx.weak.is_some())
        .then(|| addresses(&warp.registers, access.address, access.plus));
    cx.build.load(&transfer, &mut warp.registers, &mut cx.hints[k as usize])?;
    if let Some(addresses) = weak {
        touches = true;
        let who = (warp.index, mask);
        fiber.changed |= weak_access::load(cx, &mut warp.registers, &addresses, (k, access), who);
    }
    Ok(touches)
}

/// Stores what access `k` of the program says.
#[inline(always)]
pub(super) fn store<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    (warp, fiber): (&mut Warp, &mut Fiber),
    k: u32,
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let access = &cx.program.accesses[k as usize];
    let step = step(cx, &warp.registers, k, mask);
    // Local memory is part of the thread's state, as its registers are.
    fiber.changed |= access.space != Space::Local;
    let weak = Stores::begin(cx, &warp.registers, access, (warp.index, mask));
    let mut touches = weak.as_ref().is_some_and(Stores::is_strong);
    if L::LISTENS {
        let request = Request::of_access(access, Kind::Store, step);
        touches |= request.report(cx, (listener, own), warp, at, mask);
    }
    let transfer = Transfer { spaces: &cx.spaces, local: &warp.local, access, mask, step };
    cx.build.store(&transfer, &warp.registers, &mut cx.hints[k as usize])?;
    if let Some(weak) = weak {
        weak.end(cx);
    }
    Ok(touches)
}

/// Executes atomic `k` of the program.
pub(super) fn atomic<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    (warp, fiber): (&mut Warp, &mut Fiber),
    k: u32,
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let atomic = &cx.program.atomics[k as usize];
    if let Some(ranks) = atomic.ranks {
        return everywhere(cx, (listener, own), (warp, fiber), (atomic, ranks), (at, mask));
    }
    let mut touches = false;
    if cx.reads.is_on() {
        note(cx, &warp.registers, Request::of_atomic(atomic), mask);
    }
    if L::LISTENS {
        touches = Request::of_atomic(atomic).report(cx, (listener, own), warp, at, mask);
    }
    let weak = Stores::of_atomic(cx, &warp.registers, (k, atomic), (warp.index, mask));
    if L::LISTENS && warp.landings.expects(atomic) {
        let own_addresses = addresses(&warp.registers, atomic.address, atomic.plus);
        let bytes = warp.registers.double(atomic.data[0]);
        let barriers = lanes(mask).map(|lane| (own_addresses[lane], bytes[lane])).collect();
        let memory = (&cx.spaces, &warp.local);
        warp.landings.complete(memory, atomic.space, barriers, weak)?;
        fiber.changed = true;
        return Ok(true);
    }
    let weak = weak.map(|weak| weak.prepare(cx));
    touches |= weak.is_some();
    let has_changed = atomics::execute(&cx.spaces, &mut warp.registers, &warp.local, atomic, mask)?;
    if let Some(weak) = weak {
        weak.end(cx);
    }
    fiber.waits(at, has_changed);
    fiber.changed |= has_changed;
    Ok(touches)
}

/// Executes an atomic in several blocks of the cluster: those of each lane's mask.
#[cold]
fn everywhere<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    (warp, fiber): (&mut Warp, &mut Fiber),
    (atomic, ranks): (&Atomic, u16),
    (at, mask): (u32, u32),
) -> Result<bool, Refused> {
    let own_addresses = addresses(&warp.registers, atomic.address, atomic.plus);
    let mut later = Vec::new();
    let is_late = warp.landings.expects(atomic);
    for lane in lanes(mask) {
        for rank in Peers::of_mask(warp.registers.word(ranks)[lane]) {
            let there = own_addresses.map(|address| cx.spaces.peers.mapped(address, rank));
            if L::LISTENS {
                let what = (Kind::Atomic, atomic.space, atomic.value.bytes());
                let touch = Touch::new((at, warp.index, 1 << lane), what, &there);
                listener.touches(own, cx, &warp.registers, &touch);
            }
            if is_late {
                later.push((there[lane], warp.registers.double(atomic.data[0])[lane]));
                continue;
            }
            let places = (atomic, &there);
            atomics::execute_at(&cx.spaces, &mut warp.registers, &warp.local, places, 1 << lane)?;
        }
    }
    if is_late {
        let memory = (&cx.spaces, &warp.local);
        warp.landings.complete(memory, atomic.space, later, None)?;
    }
    fiber.waits(at, true);
    fiber.changed = true;
    Ok(true)
}

/// Finds once more what the rest of a block takes from its first instructions: how addresses differ from lane to lane.
pub(super) fn look_again(
    cx: &mut Context,
    registers: &Registers,
    executed: std::ops::Range<u32>,
    mask: u32,
) {
    for at in executed {
        if let Operation::Load(k) | Operation::Store(k) = cx.code[at as usize].operation {
            step(cx, registers, k, mask);
        }
    }
}

/// By how many bytes the addresses of neighbouring lanes differ, if all lanes are active and differ by the same.
#[inline(always)]
fn step(cx: &mut Context, registers: &Registers, k: u32, mask: u32) -> Option<u8> {
    if mask != FULL {
        return None;
    }
    let access = &cx.program.accesses[k as usize];
    if access.uniform {
        return Some(0);
    }
    let like = cx.program.like[k as usize] as usize;
    if like == k as usize {
        cx.steps[like] = cx.build.run(transfer::Step { registers, address: access.address });
    }
    cx.steps[like]
}
