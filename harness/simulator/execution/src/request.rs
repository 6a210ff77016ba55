//! Memory requests of a warp: an access of all its lanes, as listeners get it and as waiting blocks are found by it.

use super::context::Context;
use super::listener::{Kind, Listener, Pattern, Touch};
use super::transfer;
use super::warp::Warp;
use program::registers::{FULL, LANES, Register, Registers};
use program::{Access, AsyncCopy, Atomic, MatrixRows};
use ptx::Space;

/// A memory request, but for its lanes.
pub(super) struct Request {
    kind: Kind,
    space: Space,
    bytes: u64,
    address: Register,
    plus: i64,
    /// What is seen of the addresses, if somebody looked.
    pattern: Option<Pattern>,
}

impl Request {
    pub(super) fn of_access(
        access: &Access,
        kind: Kind,
        (mask, step): (u32, Option<u8>),
    ) -> Request {
        let bytes = access.cell.bytes() * u64::from(access.count);
        let pattern = (mask == FULL).then(|| Pattern::of_step(step, bytes));
        let Access { space, address, plus, .. } = *access;
        Request { kind, space, bytes, address, plus, pattern }
    }

    pub(super) fn of_atomic(atomic: &Atomic) -> Request {
        let bytes = atomic.value.bytes() * u64::from(atomic.count);
        let (space, address, plus) = (atomic.space, atomic.address, atomic.plus);
        Request { kind: Kind::Atomic, space, bytes, address, plus, pattern: None }
    }

    /// A copy reads now,
    pub(super) fn of_copy_read(copy: &AsyncCopy, bytes: u64) -> Request {
        let (address, plus) = (copy.from, copy.from_plus);
        Request { kind: Kind::Load, space: Space::Global, bytes, address, plus, pattern: None }
    }

    /// and will write.
    pub(super) fn of_copy_write(copy: &AsyncCopy) -> Request {
        let (address, plus, bytes) = (copy.to, copy.to_plus, copy.bytes);
        let (kind, space) = (Kind::Announcement, Space::Shared);
        Request { kind, space, bytes, address, plus, pattern: None }
    }

    pub(super) fn of_matrix_rows(rows: &MatrixRows, kind: Kind) -> Request {
        let (space, address, plus) = (rows.space, rows.address, rows.plus);
        Request { kind, space, bytes: MatrixRows::ROW, address, plus, pattern: None }
    }

    /// Reports it to the listener; whether global memory is meant.
    pub(super) fn report<L: Listener>(
        self,
        cx: &Context,
        (listener, own): (&mut L, &mut L::Block),
        warp: &Warp,
        at: u32,
        mask: u32,
    ) -> bool {
        let Request { kind, space, bytes, address, plus, pattern } = self;
        if space == Space::Param {
            return false;
        }
        let mut addresses = [0; LANES];
        let touch = Touch::find(
            cx.build,
            (at, warp.index, mask),
            (kind, space, bytes),
            (&warp.registers, address, plus),
            pattern,
            &mut addresses,
        );
        listener.touches(own, cx, &warp.registers, &touch);
        matches!(space, Space::Global | Space::Generic)
    }
}

/// Notes what a load or an atomic is about to read.
#[cold]
pub(super) fn note(cx: &mut Context, registers: &Registers, request: Request, mask: u32) {
    let addresses = transfer::addresses(registers, request.address, request.plus);
    cx.reads.note(&cx.spaces, request.space, &addresses, mask, request.bytes);
}
