//! Memory requests of a warp: an access of all its lanes, as listeners get it and as waiting blocks are found by it.

use super::context::Context;
use super::listener::{Kind, Listener, Touch};
use super::touch::{Addresses, Find};
use super::transfer;
use super::warp::Warp;
use program::registers::{Register, Registers};
use program::{Access, AsyncCopy, Atomic, MatrixRows};
use ptx::Space;

/// A memory request, but for its lanes.
pub(super) struct Request {
    kind: Kind,
    space: Space,
    bytes: u64,
    address: Register,
    plus: i64,
    /// By how many bytes the registers of neighbouring lanes differ, if somebody looked and it is the same for all.
    step: Option<u8>,
}

impl Request {
    pub(super) fn of_access(access: &Access, kind: Kind, step: Option<u8>) -> Request {
        let bytes = access.cell.bytes() * u64::from(access.count);
        let Access { space, address, plus, .. } = *access;
        Request { kind, space, bytes, address, plus, step }
    }

    pub(super) fn of_atomic(atomic: &Atomic) -> Request {
        let bytes = atomic.value.bytes() * u64::from(atomic.count);
        let (space, address, plus) = (atomic.space, atomic.address, atomic.plus);
        Request { kind: Kind::Atomic, space, bytes, address, plus, step: None }
    }

    /// A copy reads now,
    pub(super) fn of_copy_read(copy: &AsyncCopy, bytes: u64) -> Request {
        let (address, plus) = (copy.from, copy.from_plus);
        Request { kind: Kind::Load, space: Space::Global, bytes, address, plus, step: None }
    }

    /// and will write.
    pub(super) fn of_copy_write(copy: &AsyncCopy) -> Request {
        let (address, plus, bytes) = (copy.to, copy.to_plus, copy.bytes);
        let (kind, space) = (Kind::Announcement, Space::Shared);
        Request { kind, space, bytes, address, plus, step: None }
    }

    pub(super) fn of_matrix_rows(rows: &MatrixRows, kind: Kind) -> Request {
        let (space, address, plus) = (rows.space, rows.address, rows.plus);
        Request { kind, space, bytes: MatrixRows::ROW, address, plus, step: None }
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
        let Request { kind, space, bytes, address: register, plus, step } = self;
        if space == Space::Param {
            return false;
        }
        let find = Find { registers: &warp.registers, register, plus, bytes, mask };
        let mut buffer = None;
        let addresses = Addresses::find(cx.build, find, step, &mut buffer);
        let touch = Touch::at((at, warp.index, mask), (kind, space, bytes), addresses);
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
