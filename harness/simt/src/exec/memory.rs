//! Loads and stores of a warp.

mod narrow;
mod row;

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::build::Work;
use super::spaces::{Refused, Spaces, Window, refuse, window};
use crate::memory::Storage;
use crate::program::{Access, Cell};
use crate::registers::{FULL, File, LANES, Register, Registers, lanes};
use crate::space::Space;

/// The lanes' addresses.
#[inline(always)]
pub(super) fn addresses(registers: &Registers, register: Register, plus: i64) -> [u64; LANES] {
    let mut addresses = [0; LANES];
    match register.file {
        File::Doubles => {
            let base = *registers.double(register.index);
            for lane in 0..LANES {
                addresses[lane] = base[lane].wrapping_add_signed(plus);
            }
        }
        _ => {
            // Addresses in 32 bits wrap there.
            let base = *registers.word(register.index);
            for lane in 0..LANES {
                addresses[lane] = u64::from(base[lane].wrapping_add(plus as u32));
            }
        }
    }
    addresses
}

/// One lane's address.
#[inline(always)]
fn lane_address(registers: &Registers, access: &Access, lane: usize) -> u64 {
    let Register { file, index } = access.address;
    match file {
        File::Doubles => {
            registers.double(index)[lane & (LANES - 1)].wrapping_add_signed(access.plus)
        }
        _ => u64::from(registers.word(index)[lane & (LANES - 1)].wrapping_add(access.plus as u32)),
    }
}

/// The element `k` of a lane's access.
#[inline(always)]
fn read(storage: &Storage, offset: u64, access: &Access, k: u8) -> u64 {
    let bytes = access.cell.bytes();
    let offset = offset + u64::from(k) * bytes;
    let value =
        if access.strong { storage.load_whole(offset, bytes) } else { storage.load(offset, bytes) };
    match access.cell {
        Cell::B32 | Cell::B64 | Cell::U8 | Cell::U16 => value,
        Cell::I8 => value as i8 as u64,
        Cell::I16 => value as i16 as u64,
        Cell::I32 => value as i32 as u64,
    }
}

#[inline(always)]
fn write(storage: &Storage, offset: u64, access: &Access, k: u8, value: u64) {
    let bytes = access.cell.bytes();
    let offset = offset + u64::from(k) * bytes;
    if access.strong {
        storage.store_whole(offset, bytes, value);
    } else {
        storage.store(offset, bytes, value);
    }
}

#[inline(always)]
fn get(registers: &Registers, file: File, index: u16, lane: usize) -> u64 {
    match file {
        File::Doubles => registers.double(index)[lane & (LANES - 1)],
        _ => u64::from(registers.word(index)[lane & (LANES - 1)]),
    }
}

#[inline(always)]
fn set(registers: &mut Registers, file: File, index: u16, lane: usize, value: u64) {
    match file {
        File::Doubles => registers.double_mut(index)[lane & (LANES - 1)] = value,
        _ => registers.word_mut(index)[lane & (LANES - 1)] = value as u32,
    }
}

/// Gives all lanes of `mask` the same value.
#[inline(always)]
fn splat(registers: &mut Registers, file: File, index: u16, mask: u32, value: u64) {
    if mask == FULL {
        match file {
            File::Doubles => *registers.double_mut(index) = [value; LANES],
            _ => *registers.word_mut(index) = [value as u32; LANES],
        }
    } else {
        for lane in lanes(mask) {
            set(registers, file, index, lane, value);
        }
    }
}

/// Finds by how many bytes the addresses of neighbouring lanes differ, if all do by the same number, and it is small.
pub(super) struct Step<'a> {
    pub registers: &'a Registers,
    pub address: Register,
}

impl Work for Step<'_> {
    type Result = Option<u8>;

    #[inline(always)]
    fn run(self) -> Option<u8> {
        /// Bytes of the widest access.
        const WIDEST: u64 = 32;
        let last = LANES - 1;
        let Register { file, index } = self.address;
        if file == File::Doubles {
            let base = self.registers.double(index);
            let step = base[1].wrapping_sub(base[0]);
            // Most others differ at once.
            if step > WIDEST || base[last] != base[0].wrapping_add(step * last as u64) {
                return None;
            }
            let mut differs = 0;
            for lane in 0..LANES {
                differs |= base[lane] ^ base[0].wrapping_add(step * lane as u64);
            }
            return (differs == 0).then_some(step as u8);
        }
        let base = self.registers.word(index);
        let step = base[1].wrapping_sub(base[0]);
        if u64::from(step) > WIDEST || base[last] != base[0].wrapping_add(step * last as u32) {
            return None;
        }
        let mut differs = 0;
        for lane in 0..LANES {
            differs |= base[lane] ^ base[0].wrapping_add(step * lane as u32);
        }
        (differs == 0).then_some(step as u8)
    }
}

/// Whether the lanes of `mask` all have the address of its first lane.
#[inline(always)]
fn is_uniform(
    registers: &Registers,
    access: &Access,
    (mask, step): (u32, Option<u8>),
    first: u64,
) -> bool {
    match mask {
        FULL => step == Some(0),
        _ => lanes(mask).all(|lane| lane_address(registers, access, lane) == first),
    }
}

/// Executes a load in the lanes of `mask`, which is not empty. If that is all of them, `step` is what [`Step`] finds.
#[inline(always)]
pub(crate) fn load(
    spaces: &Spaces,
    registers: &mut Registers,
    local: &Storage,
    access: &Access,
    hint: &mut u32,
    (mask, step): (u32, Option<u8>),
) -> Result<(), Refused> {
    let bytes = access.cell.bytes() * u64::from(access.count);
    let first_lane = mask.trailing_zeros() as usize;
    let first = lane_address(registers, access, first_lane);
    let window = window(spaces, local, access.space, first, false, hint)
        .ok_or_else(|| refuse(spaces, first_lane, access.space, first, bytes, false))?;
    let single = mask & (mask - 1) == 0;
    let same = || window.stride == 0 && is_uniform(registers, access, (mask, step), first);
    if access.uniform || single || same() {
        let offset = window
            .offset(first_lane, first, bytes)
            .ok_or_else(|| refuse(spaces, first_lane, access.space, first, bytes, false))?;
        for k in 0..access.count {
            if access.dropped >> k & 1 == 0 {
                let value = read(window.storage, offset, access, k);
                splat(registers, access.file, access.data[usize::from(k)], mask, value);
            }
        }
        return Ok(());
    }
    if let Some(row) = row::find(&window, access, first, step) {
        row::load(registers, access, row);
        return Ok(());
    }
    if narrow::is_narrow(access) && narrow::load(registers, &window, access, first, step) {
        return Ok(());
    }
    let addresses = addresses(registers, access.address, access.plus);
    if is_word(access, &window) && inside(&window, &addresses, bytes) & mask == mask {
        let to = registers.word_mut(access.data[0]);
        if mask == FULL {
            for (value, &address) in to.iter_mut().zip(&addresses) {
                *value = word(&window, address).load(Relaxed);
            }
        } else {
            for lane in lanes(mask) {
                to[lane] = word(&window, addresses[lane]).load(Relaxed);
            }
        }
        return Ok(());
    }
    scattered(
        spaces,
        local,
        access.space,
        &window,
        &addresses,
        bytes,
        hint,
        mask,
        false,
        |storage, offset, lane| {
            for k in 0..access.count {
                if access.dropped >> k & 1 == 0 {
                    let value = read(storage, offset, access, k);
                    set(registers, access.file, access.data[usize::from(k)], lane, value);
                }
            }
        },
    )
}

/// Executes a store in the lanes of `mask`, which is not empty; `step` as for [`load`].
#[inline(always)]
pub(super) fn store(
    spaces: &Spaces,
    registers: &Registers,
    local: &Storage,
    access: &Access,
    hint: &mut u32,
    (mask, step): (u32, Option<u8>),
) -> Result<(), Refused> {
    let bytes = access.cell.bytes() * u64::from(access.count);
    let first_lane = mask.trailing_zeros() as usize;
    let first = lane_address(registers, access, first_lane);
    let window = window(spaces, local, access.space, first, true, hint)
        .ok_or_else(|| refuse(spaces, first_lane, access.space, first, bytes, true))?;
    if mask & (mask - 1) == 0 {
        let offset = window
            .offset(first_lane, first, bytes)
            .ok_or_else(|| refuse(spaces, first_lane, access.space, first, bytes, true))?;
        for k in 0..access.count {
            let value = get(registers, access.file, access.data[usize::from(k)], first_lane);
            write(window.storage, offset, access, k, value);
        }
        return Ok(());
    }
    if let Some(row) = row::find(&window, access, first, step) {
        row::store(registers, access, row);
        return Ok(());
    }
    if narrow::is_narrow(access) && narrow::store(registers, &window, access, first, step) {
        return Ok(());
    }
    let addresses = addresses(registers, access.address, access.plus);
    if is_word(access, &window) && inside(&window, &addresses, bytes) & mask == mask {
        let from = registers.word(access.data[0]);
        for lane in lanes(mask) {
            word(&window, addresses[lane]).store(from[lane], Relaxed);
        }
        return Ok(());
    }
    scattered(
        spaces,
        local,
        access.space,
        &window,
        &addresses,
        bytes,
        hint,
        mask,
        true,
        |storage, offset, lane| {
            for k in 0..access.count {
                let value = get(registers, access.file, access.data[usize::from(k)], lane);
                write(storage, offset, access, k, value);
            }
        },
    )
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
pub(super) fn scattered(
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
        let window = super::spaces::window(spaces, local, space, address, is_write, hint)
            .ok_or_else(refused)?;
        let offset = window.offset(lane, address, bytes).ok_or_else(refused)?;
        each(window.storage, offset, lane);
    }
    Ok(())
}
