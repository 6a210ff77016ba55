//! Accesses whose lanes read and write here and there.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::{Transfer, addresses, get, narrow, read, set, write};
use crate::spaces::{self, Refused, Spaces, Window, refuse};
use memory::Storage;
use program::registers::{FULL, File, LANES, Registers, lanes};
use program::{Access, Cell};
use ptx::Space;

/// Executes a load whose lanes read here and there; `window` is that of the first.
#[inline(always)]
pub fn gather(
    transfer: &Transfer,
    registers: &mut Registers,
    window: &Window,
    hint: &mut u32,
) -> Result<(), Refused> {
    let &Transfer { spaces, local, access, mask, step } = transfer;
    let (_, first) = transfer.first(registers);
    if let Some(row) = narrow::find(window, access, first, step) {
        narrow::load(registers, access, row);
        return Ok(());
    }
    let bytes = transfer.bytes();
    let addresses = addresses(registers, access.address, access.plus);
    if is_word(access, window) && inside(window, &addresses, bytes) & mask == mask {
        let to = registers.word_mut(access.data[0]);
        if mask == FULL {
            for (value, &address) in to.iter_mut().zip(&addresses) {
                *value = word(window, address).load(Relaxed);
            }
        } else {
            for lane in lanes(mask) {
                to[lane] = word(window, addresses[lane]).load(Relaxed);
            }
        }
        return Ok(());
    }
    let each = |storage: &Storage, offset, lane| {
        for k in 0..access.count {
            if access.dropped >> k & 1 == 0 {
                let value = read(storage, offset, access, k);
                set(registers, access.file, access.data[usize::from(k)], lane, value);
            }
        }
    };
    scattered(spaces, local, access.space, window, &addresses, bytes, hint, mask, false, each)
}

/// Executes a store whose lanes write here and there; `window` is that of the first.
#[inline(always)]
pub fn scatter(
    transfer: &Transfer,
    registers: &Registers,
    window: &Window,
    hint: &mut u32,
) -> Result<(), Refused> {
    let &Transfer { spaces, local, access, mask, step } = transfer;
    let (_, first) = transfer.first(registers);
    if let Some(row) = narrow::find(window, access, first, step) {
        narrow::store(registers, access, row);
        return Ok(());
    }
    let bytes = transfer.bytes();
    let addresses = addresses(registers, access.address, access.plus);
    if is_word(access, window) && inside(window, &addresses, bytes) & mask == mask {
        let from = registers.word(access.data[0]);
        for lane in lanes(mask) {
            word(window, addresses[lane]).store(from[lane], Relaxed);
        }
        return Ok(());
    }
    let each = |storage: &Storage, offset, lane| {
        for k in 0..access.count {
            let value = get(registers, access.file, access.data[usize::from(k)], lane);
            write(storage, offset, access, k, value);
        }
    };
    scattered(spaces, local, access.space, window, &addresses, bytes, hint, mask, true, each)
}

/// Whether each lane moves a word between a register and memory that all lanes share.
#[inline(always)]
fn is_word(access: &Access, window: &Window) -> bool {
    access.cell == Cell::B32
        && access.count == 1
        && access.dropped == 0
        && access.file == File::Words
        && window.stride == 0
}

/// The word at an address inside the window.
#[inline(always)]
fn word<'a>(window: &Window<'a>, address: u64) -> &'a AtomicU32 {
    &window.storage.words(address - window.base + window.start, 1)[0]
}

/// The lanes whose access lies wholly inside the window and is aligned: one bit each.
#[inline(always)]
fn inside(window: &Window, addresses: &[u64; LANES], bytes: u64) -> u32 {
    let limit = window.bytes.checked_sub(bytes);
    let mut inside = 0;
    for lane in 0..LANES {
        let offset = addresses[lane].wrapping_sub(window.base);
        let fits =
            limit.is_some_and(|limit| offset <= limit) & (addresses[lane] & (bytes - 1) == 0);
        inside |= u32::from(fits) << lane;
    }
    inside
}

/// Calls `each` with the place of every lane's access, lowest lane first, after all of them were checked where they
/// fall into one window.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub fn scattered(
    spaces: &Spaces,
    local: &Storage,
    space: Space,
    window: &Window,
    addresses: &[u64; LANES],
    bytes: u64,
    hint: &mut u32,
    mask: u32,
    is_write: bool,
    mut each: impl FnMut(&Storage, u64, usize),
) -> Result<(), Refused> {
    if inside(window, addresses, bytes) & mask == mask {
        let start = window.start;
        for lane in lanes(mask) {
            let offset = addresses[lane] - window.base + start + lane as u64 * window.stride;
            each(window.storage, offset, lane);
        }
        return Ok(());
    }
    for lane in lanes(mask) {
        let address = addresses[lane];
        let refused = || refuse(spaces, lane, space, address, bytes, is_write);
        let window =
            spaces::window(spaces, local, space, address, is_write, hint).ok_or_else(refused)?;
        let offset = window.offset(lane, address, bytes).ok_or_else(refused)?;
        each(window.storage, offset, lane);
    }
    Ok(())
}
