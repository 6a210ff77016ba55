//! Memory of the host with a zone on either side of it that nothing may write to.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use bytemuck::{Pod, Zeroable};

use crate::api::guard::{self, Side, ZONE};

/// A cache line, which is also the widest vector.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// The memory of a buffer.
pub(super) struct Memory(Mutex<Lines>);

/// A zone, the buffer, another zone.
pub(super) struct Lines(Vec<Line>);

impl Memory {
    /// Memory for so many bytes; none where the system gives no more.
    pub(super) fn new(bytes: usize) -> Option<Memory> {
        let count = bytes.checked_add(2 * ZONE)?.div_ceil(size_of::<Line>());
        let mut lines = Vec::new();
        lines.try_reserve_exact(count).ok()?;
        lines.resize(count, Line::zeroed());
        let mut lines = Lines(lines);
        for side in Side::BOTH {
            lines.zone_mut(side, bytes).copy_from_slice(&guard::zone(start(side, bytes)));
        }
        Some(Memory(Mutex::new(lines)))
    }

    /// Where the buffer begins.
    pub(super) fn address(&self) -> u64 {
        (self.lock().0.as_ptr() as usize + ZONE) as u64
    }

    /// The bytes.
    pub(super) fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes, unless they are in use.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, Lines>> {
        match self.0.try_lock() {
            Ok(lines) => Some(lines),
            Err(TryLockError::Poisoned(lines)) => Some(lines.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl Lines {
    /// Some bytes of the buffer.
    pub(super) fn bytes_mut(&mut self, bytes: Range<usize>) -> &mut [u8] {
        &mut self.all_mut()[ZONE + bytes.start..ZONE + bytes.end]
    }

    /// Copies bytes of the buffer or of a zone, so far from the buffer's beginning; the zone before it wraps around.
    pub(super) fn read(&mut self, offset: u64, into: &mut [u8]) {
        let start = (ZONE as u64).wrapping_add(offset) as usize;
        into.copy_from_slice(&self.all_mut()[start..start + into.len()]);
    }

    fn zone_mut(&mut self, side: Side, bytes: usize) -> &mut [u8] {
        let start = start(side, bytes) as usize;
        &mut self.all_mut()[start..start + ZONE]
    }

    /// The buffer and its zones.
    pub(super) fn all_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}

/// Where a zone begins, counted from the beginning of the first.
fn start(side: Side, bytes: usize) -> u64 {
    side.address(ZONE as u64, bytes)
}
