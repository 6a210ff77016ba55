//! Loads and stores of a warp.

mod narrow;
mod row;
mod scattered;

pub(super) use scattered::{gather, scatter, scattered};

use super::spaces::{Refused, Spaces, Window, refuse, window};
use super::work::Work;
use memory::Storage;
use program::registers::{FULL, File, LANES, Register, Registers, lanes};
use program::{Access, Cell};

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

/// What lanes of a warp move between their registers and memory.
pub struct Transfer<'a> {
    pub spaces: &'a Spaces<'a>,
    /// The lanes' own memory.
    pub local: &'a Storage,
    pub access: &'a Access,
    /// Active lanes, one bit each; at least one.
    pub mask: u32,
    /// If these are all lanes, what [`Step`] finds.
    pub step: Option<u8>,
}

impl<'a> Transfer<'a> {
    /// Bytes of each lane.
    #[inline(always)]
    fn bytes(&self) -> u64 {
        self.access.cell.bytes() * u64::from(self.access.count)
    }

    /// The first lane, and its address.
    #[inline(always)]
    fn first(&self, registers: &Registers) -> (usize, u64) {
        let lane = self.mask.trailing_zeros() as usize;
        (lane, lane_address(registers, self.access, lane))
    }

    /// Where a lane's address lies.
    #[inline(always)]
    fn window(
        &self,
        (lane, address): (usize, u64),
        is_write: bool,
        hint: &mut u32,
    ) -> Result<Window<'a>, Refused> {
        window(self.spaces, self.local, self.access.space, address, is_write, hint)
            .ok_or_else(|| self.refused((lane, address), is_write))
    }

    /// The place of a lane's access in a window.
    #[inline(always)]
    fn offset(
        &self,
        window: &Window,
        (lane, address): (usize, u64),
        is_write: bool,
    ) -> Result<u64, Refused> {
        window
            .offset(lane, address, self.bytes())
            .ok_or_else(|| self.refused((lane, address), is_write))
    }

    #[cold]
    fn refused(&self, (lane, address): (usize, u64), is_write: bool) -> Refused {
        refuse(self.spaces, lane, self.access.space, address, self.bytes(), is_write)
    }

    /// Whether it is one lane.
    #[inline(always)]
    fn is_single(&self) -> bool {
        self.mask & (self.mask - 1) == 0
    }

    /// Whether the lanes all have the address of the first.
    #[inline(always)]
    fn is_uniform(&self, registers: &Registers, first: u64) -> bool {
        match self.mask {
            FULL => self.step == Some(0),
            mask => lanes(mask).all(|lane| lane_address(registers, self.access, lane) == first),
        }
    }
}

/// Executes a load, if the lanes read one place or a row of words. If not, the window of the first lane.
#[inline(always)]
pub(super) fn load<'a>(
    transfer: &Transfer<'a>,
    registers: &mut Registers,
    hint: &mut u32,
) -> Result<Option<Window<'a>>, Refused> {
    let &Transfer { access, mask, step, .. } = transfer;
    let first = transfer.first(registers);
    let window = transfer.window(first, false, hint)?;
    let same = || window.stride == 0 && transfer.is_uniform(registers, first.1);
    if access.uniform || transfer.is_single() || same() {
        let offset = transfer.offset(&window, first, false)?;
        for k in 0..access.count {
            if access.dropped >> k & 1 == 0 {
                let value = read(window.storage, offset, access, k);
                splat(registers, access.file, access.data[usize::from(k)], mask, value);
            }
        }
        return Ok(None);
    }
    match row::find(&window, access, first.1, step) {
        Some(row) => row::load(registers, access, row),
        None => return Ok(Some(window)),
    }
    Ok(None)
}

/// Executes a store, if it is of one lane or to a row of words. If not, the window of the first lane.
#[inline(always)]
pub(super) fn store<'a>(
    transfer: &Transfer<'a>,
    registers: &Registers,
    hint: &mut u32,
) -> Result<Option<Window<'a>>, Refused> {
    let &Transfer { access, step, .. } = transfer;
    let first = transfer.first(registers);
    let window = transfer.window(first, true, hint)?;
    if transfer.is_single() {
        let offset = transfer.offset(&window, first, true)?;
        for k in 0..access.count {
            let value = get(registers, access.file, access.data[usize::from(k)], first.0);
            write(window.storage, offset, access, k, value);
        }
        return Ok(None);
    }
    match row::find(&window, access, first.1, step) {
        Some(row) => row::store(registers, access, row),
        None => return Ok(Some(window)),
    }
    Ok(None)
}
