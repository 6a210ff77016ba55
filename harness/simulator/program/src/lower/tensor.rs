//! Copies of boxes of tensors: `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` in tile mode.

use super::atomics::reduction;
use super::builder::{Builder, Result};
use super::elsewhere::elsewhere;
use super::opcode::WORD;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::Space;
use ptx::ast::{Instruction, Kind, Operand, Type};

/// The supported copies, for messages.
const COPIES: &str = "the simulator supports cp.async.bulk.tensor of 1d to 5d in tile mode, from global to shared::cta or \
                      shared::cluster (also .multicast::cluster) and from shared::cta to global, with .add, .min, .max, \
                      .and, .or, .xor of cp.reduce.async.bulk.tensor";
const COMPLETION: &str = "mbarrier::complete_tx::bytes";
const HALF_WORD: Type = Type { kind: Kind::Bits, bits: 16 };
const ADDRESS: Type = Type { kind: Kind::Bits, bits: 64 };

impl Builder<'_> {
    /// Such a copy; `None` for other instructions.
    pub(super) fn tensor(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').filter(|part| *part != "tile").collect();
        let (dimensions, rest, reduces) = match parts.as_slice() {
            ["cp", "async", "bulk", "prefetch", "tensor", ..] => {
                self.emit(Operation::Nothing, 0, [0; 4])?;
                return Ok(Some(Class::Fence));
            }
            ["cp", "async", "bulk", "tensor", dimensions, rest @ ..] => (dimensions, rest, false),
            ["cp", "reduce", "async", "bulk", "tensor", dimensions, rest @ ..] => {
                (dimensions, rest, true)
            }
            _ => return Ok(None),
        };
        let count = dimensions.strip_suffix('d').and_then(|count| count.parse::<usize>().ok());
        let why = elsewhere(&i.opcode).unwrap_or(COPIES);
        let lacks = |it: &Self| it.lacks(format!("unsupported instruction `{}`: {why}", i.opcode));
        let Some(count) = count.filter(|count| (1..=5).contains(count)) else { return lacks(self) };
        let hints = |rest: &[&str]| rest.iter().all(|hint| *hint == "L2::cache_hint");
        match (rest, reduces) {
            (["shared::cluster", "global", COMPLETION, "multicast::cluster", rest @ ..], false)
                if hints(rest) =>
            {
                self.tensor_load(i, count, Space::Cluster, true)?;
            }
            (
                [to @ ("shared::cta" | "shared::cluster"), "global", COMPLETION, rest @ ..],
                false,
            ) if hints(rest) => {
                let to = if *to == "shared::cta" { Space::Shared } else { Space::Cluster };
                self.tensor_load(i, count, to, false)?;
            }
            (["global", "shared::cta", "bulk_group", rest @ ..], false) if hints(rest) => {
                self.tensor_store(i, count, None)?;
                return Ok(Some(Class::StoreGlobal));
            }
            (["global", "shared::cta", operation, "bulk_group", rest @ ..], true)
                if hints(rest)
                    && !matches!(*operation, "inc" | "dec")
                    && reduction(&[operation, "u32"]).is_some() =>
            {
                let operation = reduction(&[operation, "u32"]).map(|(operation, _)| operation);
                self.tensor_store(i, count, operation)?;
                return Ok(Some(Class::StoreGlobal));
            }
            _ => return lacks(self),
        }
        Ok(Some(Class::LoadGlobal))
    }

    /// `[to], [map, {coordinates}], [mbarrier]{, ranks}{, policy}`
    fn tensor_load(
        &mut self,
        i: &Instruction,
        count: usize,
        to: Space,
        multicasts: bool,
    ) -> Result<()> {
        self.hinted_arity(i, 3 + usize::from(multicasts))?;
        let (_, register, plus, _) = self.address(&i.operands[0], to)?;
        let (map, coordinates) = self.box_of(i, 1, count)?;
        let ranks = multicasts.then(|| self.source(&i.operands[3], HALF_WORD)).transpose()?;
        let bytes = self.scratch_register(File::Words)?;
        let shared = (to, register, plus);
        let copy =
            TensorCopy { shared, map, coordinates, bytes, ranks, stores: false, reduces: None };
        self.emit_tensor(copy)?;
        self.complete(&i.operands[2], to, bytes, ranks)
    }

    /// `[map, {coordinates}], [from]{, policy}`
    fn tensor_store(
        &mut self,
        i: &Instruction,
        count: usize,
        reduces: Option<AtomicOperation>,
    ) -> Result<()> {
        self.hinted_arity(i, 2)?;
        let (map, coordinates) = self.box_of(i, 0, count)?;
        let (_, register, plus, _) = self.address(&i.operands[1], Space::Shared)?;
        let bytes = self.scratch_register(File::Words)?;
        let shared = (Space::Shared, register, plus);
        self.emit_tensor(TensorCopy {
            shared,
            map,
            coordinates,
            bytes,
            ranks: None,
            stores: true,
            reduces,
        })
    }

    fn emit_tensor(&mut self, copy: TensorCopy) -> Result<()> {
        self.program.tensor_copies.push(copy);
        let index = self.program.tensor_copies.len() as u32 - 1;
        self.emit(Operation::Copying(Copying::Tensor(index)), 0, [0; 4])
    }

    /// The map and the coordinates of a box.
    fn box_of(&mut self, i: &Instruction, at: usize, count: usize) -> Result<(u16, [u16; 5])> {
        let coordinates = |all: &[Operand]| match all {
            [Operand::Vector(all)] if all.len() == count => Some(all.clone()),
            _ => None,
        };
        let found = match &i.operands[at] {
            Operand::Object(map, rest) => coordinates(rest).map(|all| (map.clone(), all)),
            _ => None,
        };
        let Some((map, all)) = found else {
            return self.error(format!(
                "`{}` needs a map and {count} coordinates: `[map, {{x, y}}]`",
                i.opcode
            ));
        };
        let map = self.source(&Operand::Name(map), ADDRESS)?;
        let zero = self.constant(File::Words, Constant::Bits(0))?;
        let mut registers = [zero; 5];
        for (register, operand) in registers.iter_mut().zip(&all) {
            *register = self.source(operand, WORD)?;
        }
        Ok((map, registers))
    }
}
