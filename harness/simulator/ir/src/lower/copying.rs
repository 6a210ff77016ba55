//! Copies of memory and memory that is filled.

use super::function::Lowerer;
use crate::error::{Problem, problem};
use crate::machine::{Base, End, Form, Operand, Phi, Space};
use crate::types::{Class, Scalar};

/// An address: what it begins with, the bytes after that, and its space.
pub(super) type Address = (Base, i64, Space);

/// The most accesses that are written one by one.
const MOST_PIECES: u64 = 128;

impl Lowerer<'_> {
    /// Copies so many bytes between addresses that are multiples of `align`, all loads before all stores where they are few.
    pub fn copy(
        &mut self,
        to: Address,
        from: Address,
        bytes: u64,
        align: u64,
    ) -> Result<(), Problem> {
        if bytes / align.min(8) > MOST_PIECES {
            return self.in_loop(Operand::Integer(bytes as i64), |lowerer, offset| {
                let from = lowerer.at(&from, offset);
                let loaded = lowerer.load_piece(from, 1);
                let to = lowerer.at(&to, offset);
                lowerer.store_piece(to, 1, Operand::Register(loaded));
            });
        }
        let pieces = pieces(bytes, align);
        let loaded: Vec<u32> = pieces
            .iter()
            .map(|(offset, bytes)| {
                self.load_piece((from.0.clone(), from.1 + *offset as i64, from.2), *bytes)
            })
            .collect();
        for ((offset, bytes), register) in pieces.into_iter().zip(loaded) {
            self.store_piece(
                (to.0.clone(), to.1 + offset as i64, to.2),
                bytes,
                Operand::Register(register),
            );
        }
        Ok(())
    }

    /// Copies a number of bytes that varies.
    pub fn copy_some(&mut self, to: Address, from: Address, bytes: Operand) -> Result<(), Problem> {
        self.in_loop(bytes, |lowerer, offset| {
            let from = lowerer.at(&from, offset);
            let loaded = lowerer.load_piece(from, 1);
            let to = lowerer.at(&to, offset);
            lowerer.store_piece(to, 1, Operand::Register(loaded));
        })
    }

    /// Fills memory with a byte.
    pub fn fill(
        &mut self,
        to: Address,
        byte: Operand,
        bytes: Operand,
        align: u64,
    ) -> Result<(), Problem> {
        if let (Operand::Integer(count), Operand::Integer(value)) = (&bytes, &byte)
            && *count as u64 / align.min(8) <= MOST_PIECES
        {
            let repeated = u64::from_le_bytes([*value as u8; 8]);
            for (offset, bytes) in pieces(*count as u64, align) {
                let value = super::values::bits_of(Scalar::Integer(bytes as u32 * 8), repeated);
                self.store_piece((to.0.clone(), to.1 + offset as i64, to.2), bytes, value);
            }
            return Ok(());
        }
        let byte = Operand::Register(self.in_register(byte, Class::B16));
        self.in_loop(bytes, |lowerer, offset| {
            let to = lowerer.at(&to, offset);
            lowerer.store_piece(to, 1, byte.clone());
        })
    }

    fn store_piece(&mut self, (base, plus, space): Address, bytes: u64, value: Operand) {
        let access = Self::plain(space, bytes, bytes);
        self.push(Form::Store(access), Vec::new(), vec![Self::memory(&base, plus), value]);
    }

    /// An address so many bytes after another.
    fn at(&mut self, (base, plus, space): &Address, offset: u32) -> Address {
        let start = self.sum(base.clone(), 0);
        let start = Operand::Register(self.in_register(start, Class::B64));
        let sum = self.pure("add.s64", Class::B64, vec![start, Operand::Register(offset)]);
        (Base::Register(sum), *plus, *space)
    }

    /// Repeats something for each byte.
    fn in_loop(
        &mut self,
        bytes: Operand,
        mut each: impl FnMut(&mut Self, u32),
    ) -> Result<(), Problem> {
        if self.code.blocks.len() > 1 << 16 {
            return problem("too many copies of memory in a function");
        }
        let bytes = Operand::Register(self.in_register(bytes, Class::B64));
        let label = self.parts_of[self.block];
        let [head, body, after] = [0; 3].map(|_| self.new_block(label));
        let before = self.block;
        self.end(End::Jump(head));
        self.block = head;
        let offset = self.code.register(Class::B64);
        let is_inside =
            self.pure("setp.lt.u64", Class::Predicate, vec![Operand::Register(offset), bytes]);
        self.end(End::Branch { predicate: is_inside, yes: body, no: after });
        self.block = body;
        each(self, offset);
        let next =
            self.pure("add.s64", Class::B64, vec![Operand::Register(offset), Operand::Integer(1)]);
        self.end(End::Jump(head));
        let incoming = vec![(before, Operand::Integer(0)), (body, Operand::Register(next))];
        self.code.blocks[head].phis.push(Phi { result: offset, incoming });
        self.block = after;
        Ok(())
    }
}

/// Bytes in pieces of powers of two, each at a multiple of itself.
fn pieces(bytes: u64, align: u64) -> Vec<(u64, u64)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < bytes {
        let mut size = align.clamp(1, 8);
        while at + size > bytes {
            size /= 2;
        }
        pieces.push((at, size));
        at += size;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_bytes_and_are_aligned() {
        assert_eq!(pieces(15, 8), [(0, 8), (8, 4), (12, 2), (14, 1)]);
        assert_eq!(pieces(3, 1), [(0, 1), (1, 1), (2, 1)]);
        assert!(pieces(0, 4).is_empty());
    }
}
