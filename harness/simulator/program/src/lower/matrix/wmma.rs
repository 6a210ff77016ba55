//! `wmma`: products as `mma`s, and fragments as ordinary loads and stores of the lanes.

use super::super::builder::{Builder, Result};
use super::super::opcode::WORD;
use super::super::registers::file_of;
use super::fragment::{Piece, Role, Tile};
use super::product::{element, factors, sum_element};
use crate::alu::Fast;
use crate::alu::matrix::{Element, Factors, Product};
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::Space;
use ptx::ast::{Instruction, Kind, Type};

/// The supported instructions, for messages.
const TILES: &str = "the simulator supports wmma of m16n16k16, m32n8k16, m8n32k16 for f16, bf16, s8 and u8, of m16n16k8 for \
                     tf32, m8n8k4 for f64, m8n8k32 for s4 and u4, m8n8k128 for b1";

/// Registers of a fragment of `f16`. If these are more than needed, each element occurs twice.
const REGISTERS_F16: usize = 8;

/// A fragment in memory.
struct Transfer {
    space: Space,
    /// Bits of an element in memory.
    bits: usize,
    /// Elements of a piece.
    elements: usize,
    is_store: bool,
    along_thread: bool,
    /// The register with the stride between rows (or columns), in elements.
    stride: u16,
    /// The register with the address of the lane's first element, less `plus`.
    address: u16,
    plus: i64,
}

/// Bits of a type in memory.
fn bits(word: &str) -> Option<usize> {
    Some(match word {
        "b1" => 1,
        "s4" | "u4" => 4,
        "s8" | "u8" => 8,
        "f16" | "bf16" => 16,
        "tf32" | "f32" | "s32" => 32,
        "f64" => 64,
        _ => return None,
    })
}

impl Builder<'_> {
    /// `wmma.mma{.op.popc}.sync.aligned.alayout.blayout.shape.types{.satfinite} d, a, b, c`.
    pub(super) fn tile_product(&mut self, i: &Instruction, modifiers: &[&str]) -> Result<()> {
        let (operation, rest) = match modifiers {
            [operation @ ("and" | "xor"), "popc", rest @ ..] => (Some(*operation), rest),
            rest => (None, rest),
        };
        let (saturate, rest) = match rest {
            [rest @ .., "satfinite"] => (true, rest),
            // `.rn` of f64 is the default.
            [rest @ .., "rn"] | rest => (false, rest),
        };
        let found = match rest {
            ["sync", "aligned", "row" | "col", "row" | "col", shape, types @ ..] => {
                let types = match types {
                    [d, c] => &[*d, "f16", "f16", *c],
                    types => types,
                };
                Tile::parse(shape).zip(factors(types, saturate, operation))
            }
            _ => None,
        };
        let Some((tile, factors)) = found.filter(|(tile, factors)| tile.exists(factors.bits()))
        else {
            return self.lacks(format!("unsupported instruction `{}`: {TILES}", i.opcode));
        };
        self.arity(i, 4)?;
        let counts = |role| tile.pieces(role, factors.packed()).len() * registers(factors, role);
        let is_half = factors.bits() == 16 && is_f16(factors);
        let wanted = |role| if is_half { REGISTERS_F16 } else { counts(role) };
        let a: [u16; 8] =
            self.sources_of(self.fragment(i, 1, wanted(Role::A))?, element(factors))?;
        let b: [u16; 8] =
            self.sources_of(self.fragment(i, 2, wanted(Role::B))?, element(factors))?;
        let sums = counts(Role::Sums);
        let c: [u16; 8] = self.sources_of(self.fragment(i, 3, sums)?, sum_element(factors))?;
        let d: [u16; 8] = self.destinations_of(self.fragment(i, 0, sums)?, sum_element(factors))?;
        // A destination must not overwrite a source that is still to be read.
        let (mut a, mut b, mut c) = (a, b, c);
        if below_and_beside(tile) > 1 {
            for (read, count) in [(&mut a, wanted(Role::A)), (&mut b, wanted(Role::B))] {
                self.apart(&mut read[..count], &d[..sums])?;
            }
            if c != d {
                self.apart(&mut c[..sums], &d[..sums])?;
            }
        }
        let (a, b) = if tile.is_turned() { (b, a) } else { (a, b) };
        let (rows, below, beside) = tile.products();
        // Here an H100 adds 4 products of `.tf32` at once, but 8 in `mma`.
        let steps = if factors == Factors::Single(Element::Tf32) { 2 } else { 1 };
        let depth = tile.depth / steps;
        let [of_sums, of_a, of_b] = Product::registers(factors, rows, depth);
        for product in 0..below * beside {
            let sums = of_sums * product;
            for step in 0..steps {
                self.multiply(Product {
                    factors,
                    rows,
                    depth,
                    d: part(&d, sums, of_sums),
                    a: part(&a, of_a * (product / beside * steps + step), of_a),
                    b: part(&b, of_b * (product % beside * steps + step), of_b),
                    c: part(if step == 0 { &c } else { &d }, sums, of_sums),
                    sparsity: None,
                })?;
            }
        }
        Ok(())
    }

    /// Copies those registers that also occur among others.
    fn apart(&mut self, read: &mut [u16], written: &[u16]) -> Result<()> {
        for register in read.iter_mut().filter(|register| written.contains(register)) {
            *register = self.scratch(Fast::Move32, [*register, 0, 0])?;
        }
        Ok(())
    }

    /// `wmma.load.use.sync.aligned.layout.shape{.space}.type d, [a]{, stride}` and `wmma.store.d… [a], d{, stride}`.
    pub(super) fn tile_transfer(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        is_store: bool,
    ) -> Result<Space> {
        let unsupported =
            |it: &Self| it.lacks(format!("unsupported instruction `{}`: {TILES}", i.opcode));
        let [of, "sync", "aligned", layout @ ("row" | "col"), shape, rest @ ..] = modifiers else {
            return unsupported(self);
        };
        let role = match (*of, is_store) {
            ("a", false) => Role::A,
            ("b", false) => Role::B,
            ("c", false) | ("d", true) => Role::Sums,
            _ => return unsupported(self),
        };
        let (space, word) = match rest {
            [word] => (Space::Generic, word),
            ["global", word] => (Space::Global, word),
            ["shared" | "shared::cta", word] => (Space::Shared, word),
            _ => return unsupported(self),
        };
        let row_major = *layout == "row";
        let found = Tile::parse(shape).zip(bits(word)).filter(|&(tile, bits)| {
            let is_sum = matches!(*word, "f32" | "s32");
            let of_factors = match (role, *word) {
                // The types of a and b for the type of the sums.
                (Role::Sums, "f16") => tile.exists(16),
                (Role::Sums, "f32") => tile.exists(16) || tile.exists(32),
                (Role::Sums, "s32") => tile.exists(8) || tile.exists(4) || tile.exists(1),
                (Role::Sums, "f64") => tile.exists(64),
                (Role::Sums, _) => false,
                _ => !is_sum && tile.exists(bits),
            };
            // Elements smaller than a byte exist only as rows of a and columns of b.
            of_factors && (bits >= 8 || tile.is_along_thread(role, row_major))
        });
        let Some((tile, bits)) = found else { return unsupported(self) };
        let counts = if i.operands.len() == 3 { 3 } else { 2 };
        self.arity(i, counts)?;
        self.emit(Operation::Matrix(Matrix::Together), 0, [0; 4])?;
        let packed = (32 / bits).max(1);
        let elements = if role == Role::Sums { 2 } else { packed };
        let (at, data) = if is_store { (0, 1) } else { (1, 0) };
        let along_thread = tile.is_along_thread(role, row_major);
        let (space, address, plus, _) = self.address(&i.operands[at], space)?;
        let stride = match i.operands.get(2) {
            Some(operand) => self.source(operand, WORD)?,
            None => self.number(tile.stride(role, row_major))?,
        };
        let (address, plus) =
            self.first_element(address, plus, stride, (bits, elements, along_thread))?;
        let transfer =
            Transfer { space, bits, elements, is_store, along_thread, stride, address, plus };
        let pieces = tile.pieces(role, packed);
        let registers = elements.div_ceil(packed);
        let natural = pieces.len() * registers;
        let wanted = if *word == "f16" && role != Role::Sums { REGISTERS_F16 } else { natural };
        let element = if bits == 64 { Type { kind: Kind::Float, bits: 64 } } else { WORD };
        let operands = self.fragment(i, data, wanted)?;
        let all: [u16; 8] = if is_store {
            self.sources_of(operands, element)?
        } else {
            self.destinations_of(operands, element)?
        };
        for (&piece, data) in pieces.iter().zip(all.chunks(registers)) {
            self.piece(&transfer, piece, data, file_of(element))?;
        }
        for k in natural..wanted {
            self.emit(Operation::Fast(Fast::Move32), all[k], [all[k % natural], 0, 0, 0])?;
        }
        Ok(space)
    }

    /// The address of the lane's first element, less an offset.
    fn first_element(
        &mut self,
        base: Register,
        plus: i64,
        stride: u16,
        (bits, elements, along_thread): (usize, usize, bool),
    ) -> Result<(u16, i64)> {
        let (base, plus) = match base.file {
            File::Doubles => (base.index, plus),
            // 32-bit addresses wrap around.
            _ => {
                let offset = self.constant(File::Words, Constant::Bits(u64::from(plus as u32)))?;
                let sum = self.scratch(Fast::AddU32, [base.index, offset, 0])?;
                (self.scratch(Fast::U64FromU32, [sum, 0, 0])?, 0)
            }
        };
        let group = self.constant(File::Words, Constant::Special(Special::Group))?;
        let thread = self.constant(File::Words, Constant::Special(Special::InGroup))?;
        let count = self.number(elements)?;
        let first = self.scratch(Fast::MulU32, [thread, count, 0])?;
        let (line, place) = if along_thread { (group, first) } else { (first, group) };
        let mut place = self.scratch(Fast::MadU32, [line, stride, place])?;
        if bits < 8 {
            let shift = self.number((8 / bits).ilog2() as usize)?;
            place = self.scratch(Fast::ShrU32, [place, shift, 0])?;
        }
        let size = self.number((bits / 8).max(1))?;
        Ok((self.scratch(Fast::MadWideU32, [place, size, base])?, plus))
    }

    /// Loads or stores a piece.
    fn piece(&mut self, t: &Transfer, piece: Piece, data: &[u16], file: File) -> Result<()> {
        let per_register = t.elements / data.len();
        if t.along_thread {
            let cell = if t.bits == 64 { Cell::B64 } else { Cell::B32 };
            return self.access_line(t, (piece.group, piece.thread), (cell, file), data);
        }
        let cell = match t.bits {
            8 => Cell::U8,
            16 => Cell::U16,
            32 => Cell::B32,
            _ => Cell::B64,
        };
        for (k, &register) in data.iter().enumerate() {
            let line = |element| (piece.thread + k * per_register + element, piece.group);
            if per_register == 1 {
                self.access_line(t, line(0), (cell, file), &[register])?;
            } else if t.is_store {
                for (element, part) in [Fast::Low16, Fast::High16].into_iter().enumerate() {
                    let part = self.scratch(part, [register, 0, 0])?;
                    self.access_line(t, line(element), (cell, file), &[part])?;
                }
            } else {
                let parts = (0..per_register).map(|element| {
                    let part = self.scratch_register(File::Words)?;
                    self.reads(Register { file: File::Words, index: part });
                    self.access_line(t, line(element), (cell, file), &[part])?;
                    Ok(part)
                });
                let parts: Vec<u16> = parts.collect::<Result<_>>()?;
                self.join(register, &parts, t.bits)?;
            }
        }
        Ok(())
    }

    /// Packs parts into a register, the first lowest.
    fn join(&mut self, d: u16, parts: &[u16], bits: usize) -> Result<()> {
        let (&first, rest) = parts.split_first().unwrap_or((&d, &[]));
        let mut joined = first;
        for (k, &part) in (1..).zip(rest) {
            let amount = self.number(bits * k)?;
            let high = self.scratch(Fast::ShlU32, [part, amount, 0])?;
            joined = self.scratch(Fast::OrU32, [joined, high, 0])?;
        }
        self.emit(Operation::Fast(Fast::Move32), d, [joined, 0, 0, 0])
    }

    /// Accesses elements of the lane at a position in a line (a row or a column).
    fn access_line(
        &mut self,
        t: &Transfer,
        (line, place): (usize, usize),
        (cell, file): (Cell, File),
        data: &[u16],
    ) -> Result<()> {
        let mut index = t.address;
        if line > 0 {
            let bytes = self.number(line * t.bits / 8)?;
            index = self.scratch(Fast::MadWideU32, [t.stride, bytes, t.address])?;
        }
        let mut registers = [0; 8];
        registers[..data.len()].copy_from_slice(data);
        self.program.accesses.push(Access {
            space: t.space,
            cell,
            count: data.len() as u8,
            file,
            data: registers,
            dropped: 0,
            address: Register { file: File::Doubles, index },
            plus: t.plus + (place * t.bits / 8) as i64,
            uniform: false,
            strong: false,
            past_l1: false,
            order: Order::default(),
            scope: Scope::default(),
        });
        let access = self.program.accesses.len() as u32 - 1;
        let operation = if t.is_store { Operation::Store(access) } else { Operation::Load(access) };
        self.emit(operation, 0, [0; 4])
    }

    fn number(&mut self, value: usize) -> Result<u16> {
        self.constant(File::Words, Constant::Bits(value as u64))
    }
}

/// The `mma`s of which a tile consists.
fn below_and_beside(tile: Tile) -> usize {
    let (_, below, beside) = tile.products();
    below * beside
}

/// Registers of a piece.
fn registers(factors: Factors, role: Role) -> usize {
    if role == Role::Sums && factors != Factors::Half { 2 } else { 1 }
}

fn is_f16(factors: Factors) -> bool {
    matches!(factors, Factors::Half | Factors::Single(Element::F16))
}

/// Some of a fragment's registers.
fn part<const N: usize>(all: &[u16; 8], first: usize, count: usize) -> [u16; N] {
    let mut part = [0; N];
    part[..count].copy_from_slice(&all[first..first + count]);
    part
}
