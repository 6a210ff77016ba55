//! Tensor maps that kernels change: `tensormap.replace`, `tensormap.cp_fenceproxy`, `fence.proxy.tensormap` (PTX ISA, sections
//! of these names). A field that is replaced is stored where the simulator's maps have it.

use super::builder::{Builder, Result};
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::Space;
use ptx::ast::{Instruction, Kind, Operand, Type};
use textures::offset;

/// What is supported, for messages.
const FIELDS: &str = "the simulator supports tensormap.replace.tile of global_address, rank (a number), box_dim, global_dim and \
                      global_stride, in shared::cta or global memory";
/// Bytes of a map.
const MAP: u64 = 128;

impl Builder<'_> {
    /// Such an instruction; `None` for others.
    pub(super) fn maps(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        match parts.as_slice() {
            ["tensormap", "replace", "tile", field, space, "b1024", width] => {
                let space = match *space {
                    "shared::cta" => Space::Shared,
                    "global" => Space::Global,
                    _ => return self.lacks_field(i),
                };
                self.replace(i, field, space, width).map(Some)
            }
            ["tensormap", "replace", ..] => self.lacks_field(i),
            [
                "tensormap",
                "cp_fenceproxy",
                "global",
                "shared::cta",
                "tensormap::generic",
                rest @ ..,
            ] => self.copy_map(i, rest).map(Some),
            ["fence", "proxy", "tensormap::generic", "acquire", scope] => {
                self.map_bytes(i, 1)?;
                let (_, register, plus, _) = self.address(&i.operands[0], Space::Generic)?;
                let plus = self.constant(File::Doubles, Constant::Bits(plus as u64))?;
                let map = self.scratch(Fast::AddU64, [register.index, plus, 0])?;
                self.emit(Operation::AcquireMap, 0, [map, 0, 0, 0])?;
                self.fences(scope).map(Some)
            }
            ["fence", "proxy", "tensormap::generic", "release", scope] => {
                self.arity(i, 0)?;
                self.emit(Operation::ProxyFence(Proxied::Maps), 0, [0; 4])?;
                self.fences(scope).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn lacks_field<T>(&self, i: &Instruction) -> Result<T> {
        self.lacks(format!("unsupported instruction `{}`: {FIELDS}", i.opcode))
    }

    /// `tensormap.replace.tile.field.space.b1024.width [map], {dimension,} value`
    fn replace(
        &mut self,
        i: &Instruction,
        field: &str,
        space: Space,
        width: &str,
    ) -> Result<Class> {
        let each = match field {
            "global_address" | "rank" => None,
            "box_dim" => Some((offset::BOXES, 2, 5)),
            "global_dim" => Some((offset::SIZES, 4, 5)),
            "global_stride" => Some((offset::STRIDES, 8, 4)),
            _ => return self.lacks_field(i),
        };
        self.arity(i, if each.is_some() { 3 } else { 2 })?;
        let (value, plus, cell) = match (each, &i.operands[1..]) {
            (None, [Operand::Integer(rank @ 0..5)]) if field == "rank" => {
                let rank = self.constant(File::Words, Constant::Bits(rank + 1))?;
                (Register { file: File::Words, index: rank }, offset::DIMENSIONS, Cell::U8)
            }
            (None, [address]) if field == "global_address" => {
                (self.new_value(address, width, "b64")?, offset::ADDRESS, Cell::B64)
            }
            (Some((first, bytes, count)), [Operand::Integer(at), value]) if *at < count => {
                let (wanted, cell) = match bytes {
                    2 => ("b32", Cell::U16),
                    4 => ("b32", Cell::B32),
                    _ => ("b64", Cell::B64),
                };
                (self.new_value(value, width, wanted)?, first + at * bytes, cell)
            }
            _ => return self.lacks_field(i),
        };
        self.part(&i.operands[0], (space, plus), cell, value, Operation::Store)?;
        Ok(if space == Space::Global { Class::StoreGlobal } else { Class::StoreShared })
    }

    fn new_value(&mut self, operand: &Operand, width: &str, wanted: &str) -> Result<Register> {
        if width != wanted {
            return self.error(format!("this field has the type .{wanted}"));
        }
        let (bits, file) = if wanted == "b64" { (64, File::Doubles) } else { (32, File::Words) };
        let index = self.source(operand, Type { kind: Kind::Bits, bits })?;
        Ok(Register { file, index })
    }

    /// `tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [to], [from], 128`
    fn copy_map(&mut self, i: &Instruction, rest: &[&str]) -> Result<Class> {
        let ["release", scope, "sync", "aligned"] = rest else {
            return self.unsupported(&i.opcode);
        };
        self.map_bytes(i, 2)?;
        let register =
            Register { file: File::Doubles, index: self.scratch_register(File::Doubles)? };
        for plus in (0..MAP).step_by(8) {
            let from = (Space::Shared, plus);
            self.part(&i.operands[1], from, Cell::B64, register, Operation::Load)?;
            let to = (Space::Global, plus);
            self.part(&i.operands[0], to, Cell::B64, register, Operation::Store)?;
        }
        self.fences(scope)?;
        Ok(Class::StoreGlobal)
    }

    /// The number of bytes after so many addresses: those of a map.
    fn map_bytes(&mut self, i: &Instruction, at: usize) -> Result<()> {
        self.arity(i, at + 1)?;
        match i.operands[at] {
            Operand::Integer(MAP) => Ok(()),
            _ => self.error(format!("`{}` needs a size of {MAP} bytes", i.opcode)),
        }
    }

    /// A load or store of a part of a map.
    fn part(
        &mut self,
        map: &Operand,
        (space, offset): (Space, u64),
        cell: Cell,
        value: Register,
        operation: fn(u32) -> Operation,
    ) -> Result<()> {
        let (space, address, plus, uniform) = self.address(map, space)?;
        self.program.accesses.push(Access {
            space,
            cell,
            count: 1,
            file: value.file,
            data: [value.index, 0, 0, 0, 0, 0, 0, 0],
            dropped: 0,
            address,
            plus: plus.wrapping_add_unsigned(offset),
            uniform,
            strong: false,
            past_l1: false,
            order: Order::default(),
            scope: Scope::default(),
        });
        self.emit(operation(self.program.accesses.len() as u32 - 1), 0, [0; 4])
    }

    fn fences(&mut self, scope: &str) -> Result<Class> {
        let Some(scope) = Scope::parse(scope) else {
            return self.error(format!("`{scope}` is no scope of a fence"));
        };
        self.emit(Operation::Fence { scope, sequential: false }, 0, [0; 4])?;
        Ok(Class::Fence)
    }
}
