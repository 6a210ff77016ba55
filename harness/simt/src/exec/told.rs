//! What a listener learns of accesses, and what is noted of those that a block may wait for.

use super::context::Context;
use super::listener::{Kind, Listener, Pattern, Touch};
use super::memory;
use super::run::Warp;
use crate::program::{Access, AsyncCopy, Atomic, MatrixRows};
use crate::registers::{FULL, LANES, Register, Registers};
use crate::space::Space;

/// What a listener learns of an access, but for its lanes.
pub(super) struct Told {
    kind: Kind,
    space: Space,
    bytes: u64,
    address: Register,
    plus: i64,
    /// What is seen of the addresses, if somebody looked.
    pattern: Option<Pattern>,
}

impl Told {
    pub(super) fn of_access(access: &Access, kind: Kind, (mask, step): (u32, Option<u8>)) -> Told {
        let bytes = access.cell.bytes() * u64::from(access.count);
        let pattern = (mask == FULL).then(|| Pattern::of_step(step, bytes));
        let Access { space, address, plus, .. } = *access;
        Told { kind, space, bytes, address, plus, pattern }
    }

    pub(super) fn of_atomic(atomic: &Atomic) -> Told {
        let bytes = atomic.value.bytes() * u64::from(atomic.count);
        let (space, address, plus) = (atomic.space, atomic.address, atomic.plus);
        Told { kind: Kind::Atomic, space, bytes, address, plus, pattern: None }
    }

    /// A copy reads now,
    pub(super) fn of_copied(copy: &AsyncCopy, bytes: u64) -> Told {
        let (address, plus) = (copy.from, copy.from_plus);
        Told { kind: Kind::Load, space: Space::Global, bytes, address, plus, pattern: None }
    }

    /// and will write.
    pub(super) fn of_announced(copy: &AsyncCopy) -> Told {
        let (address, plus, bytes) = (copy.to, copy.to_plus, copy.bytes);
        let (kind, space) = (Kind::Announcement, Space::Shared);
        Told { kind, space, bytes, address, plus, pattern: None }
    }

    pub(super) fn of_matrix_rows(rows: &MatrixRows, kind: Kind) -> Told {
        let (space, address, plus) = (rows.space, rows.address, rows.plus);
        Told { kind, space, bytes: MatrixRows::ROW, address, plus, pattern: None }
    }

    /// Tells it; whether global memory is meant.
    pub(super) fn tell<L: Listener>(
        self,
        cx: &Context,
        (listener, own): (&mut L, &mut L::OfBlock),
        warp: &Warp,
        at: u32,
        mask: u32,
    ) -> bool {
        let Told { kind, space, bytes, address, plus, pattern } = self;
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
pub(super) fn note(cx: &mut Context, registers: &Registers, told: Told, mask: u32) {
    let addresses = memory::addresses(registers, told.address, told.plus);
    cx.reads.note(&cx.spaces, told.space, &addresses, mask, told.bytes);
}
