//! Atomics: `atom`, `red`.

use super::builder::{Builder, Result};
use super::memory::{Modifiers, modifiers};
use crate::class::Class;
use crate::instruction::*;
use ptx::Space;
use ptx::ast::{Instruction, Kind, Operand, Type};
use semantics::half::Format;

/// Parses an operation.
fn operation(word: &str) -> Option<AtomicOperation> {
    use AtomicOperation::*;
    Some(match word {
        "and" => And,
        "or" => Or,
        "xor" => Xor,
        "exch" => Exchange,
        "add" => Add,
        "inc" => Increment,
        "dec" => Decrement,
        "min" => Min,
        "max" => Max,
        "cas" => CompareExchange,
        _ => return None,
    })
}

/// A type that is not fundamental, and the type of the registers that hold it.
fn packed(word: &str) -> Option<(AtomicType, Type)> {
    let bits = |bits| Type { kind: Kind::Bits, bits };
    Some(match word {
        "f16" => (AtomicType::Half(Format::F16), bits(16)),
        "bf16" => (AtomicType::Half(Format::Bf16), bits(16)),
        "f16x2" => (AtomicType::Halves(Format::F16), bits(32)),
        "bf16x2" => (AtomicType::Halves(Format::Bf16), bits(32)),
        _ => return None,
    })
}

/// A fundamental type, if the operation supports it.
fn plain(operation: AtomicOperation, element: Type) -> Option<AtomicType> {
    use AtomicOperation::*;
    let bitwise = matches!(operation, And | Or | Xor | Exchange | CompareExchange);
    let value = match (element.kind, element.bits) {
        (Kind::Float, 32) if operation == Add => AtomicType::F32,
        (Kind::Float, 64) if operation == Add => AtomicType::F64,
        (Kind::Bits, 16) if matches!(operation, CompareExchange | Exchange) => AtomicType::U16,
        (Kind::Bits, 32) if bitwise => AtomicType::U32,
        (Kind::Bits, 64) if bitwise => AtomicType::U64,
        (Kind::Bits, 128) if matches!(operation, CompareExchange | Exchange) => AtomicType::Wide,
        _ if bitwise => return None,
        (Kind::Signed, 32) => AtomicType::I32,
        (Kind::Unsigned, 32) => AtomicType::U32,
        (Kind::Signed, 64) => AtomicType::I64,
        (Kind::Unsigned, 64) => AtomicType::U64,
        _ => return None,
    };
    let counts = matches!(operation, Increment | Decrement);
    Some(value).filter(|value| !counts || *value == AtomicType::U32)
}

/// Allowed lengths of vectors of a type, besides one.
fn vectors(operation: AtomicOperation, value: AtomicType) -> &'static [usize] {
    use AtomicOperation::*;
    match (operation, value) {
        (Add, AtomicType::F32) => &[1, 2, 4],
        (Add, AtomicType::Half(_)) => &[1, 2, 4, 8],
        (Min | Max, AtomicType::Half(_)) => &[2, 4, 8],
        (Add, AtomicType::Halves(_)) => &[1, 2, 4],
        (Min | Max, AtomicType::Halves(_)) => &[2, 4],
        (_, AtomicType::Half(_) | AtomicType::Halves(_)) => &[],
        _ => &[1],
    }
}

/// The operation of `cp.reduce.async.bulk`, such as `["add", "noftz", "f16"]`.
pub(super) fn reduction(modifiers: &[&str]) -> Option<(AtomicOperation, AtomicType)> {
    let (word, of) = match modifiers {
        [word, of] | [word @ "add", "noftz", of] => (*word, *of),
        _ => return None,
    };
    let operation = operation(word)?;
    use AtomicOperation::*;
    if matches!(operation, Exchange | CompareExchange) {
        return None;
    }
    let packed = packed(of).filter(|_| matches!(operation, Add | Min | Max));
    // Unlike atomics, it has signed 64-bit sums.
    let plain = || match (operation, of) {
        (Add, "s64") => Some(AtomicType::I64),
        _ => plain(operation, Type::parse(of)?),
    };
    packed.map(|(of, _)| of).or_else(plain).map(|of| (operation, of))
}

impl Builder<'_> {
    /// `atom.op d, [a], b{, c}` and `red.op [a], b`.
    pub(super) fn atomic(&mut self, i: &Instruction, is_reduction: bool) -> Result<Class> {
        let mut found = modifiers(&i.opcode);
        // The parser takes `.f16` for a fundamental type.
        let packed = i.opcode.split('.').find_map(packed);
        found.rest.retain(|word| self::packed(word).is_none());
        let [word] = found.rest[..] else { return self.unsupported(&i.opcode) };
        let Some(operation) = operation(word) else { return self.unsupported(&i.opcode) };
        let is_swap =
            matches!(operation, AtomicOperation::Exchange | AtomicOperation::CompareExchange);
        let of = match (packed, found.element) {
            (Some(packed), _) => Some(packed),
            (None, Some(element)) => plain(operation, element).map(|value| (value, element)),
            (None, None) => None,
        };
        let Some((value, element)) = of.filter(|&(value, _)| {
            matches!(found.space, Space::Generic | Space::Global | Space::Shared | Space::Cluster)
                && vectors(operation, value).contains(&found.count)
                && !(is_reduction && is_swap)
        }) else {
            return self.unsupported(&i.opcode);
        };
        let extra = usize::from(operation == AtomicOperation::CompareExchange);
        self.hinted_arity(i, if is_reduction { 2 } else { 3 + extra })?;
        if value == AtomicType::Wide {
            return self.wide_atomic(i, operation, &found);
        }
        let rest = &i.operands[usize::from(!is_reduction)..];
        let (space, address, plus, _) = self.address(&rest[0], found.space)?;
        let mut data = [0; 8];
        for (index, operand) in data.iter_mut().zip(self.elements(i, &rest[1], found.count)?) {
            *index = self.source(operand, element)?;
        }
        let other = if extra == 1 { [self.source(&rest[2], element)?; 2] } else { [0; 2] };
        let result = match i.operands.first().filter(|_| !is_reduction) {
            Some(Operand::Name(name)) if name == "_" => None,
            Some(operand) => {
                let mut results = [0; 8];
                let operands = self.elements(i, operand, found.count)?;
                for (index, operand) in results.iter_mut().zip(operands) {
                    *index = self.destination(operand, element)?;
                }
                Some(results)
            }
            None => None,
        };
        self.emit_atomic(Atomic {
            space,
            operation,
            value,
            count: found.count as u8,
            data,
            other,
            result,
            address,
            plus,
            order: found.order,
            scope: found.scope,
            ranks: None,
        })?;
        Ok(Class::Atomic)
    }

    /// `atom.exch.b128 d, [a], b`, `atom.cas.b128 d, [a], b, c`.
    fn wide_atomic(
        &mut self,
        i: &Instruction,
        operation: AtomicOperation,
        found: &Modifiers,
    ) -> Result<Class> {
        let (space, address, plus, _) = self.address(&i.operands[1], found.space)?;
        let mut data = [0; 8];
        data[..2].copy_from_slice(&self.wide_source(&i.operands[2])?);
        let other = match operation {
            AtomicOperation::CompareExchange => self.wide_source(&i.operands[3])?,
            _ => [0; 2],
        };
        let result = match &i.operands[0] {
            Operand::Name(name) if name == "_" => None,
            operand => {
                let mut results = [0; 8];
                results[..2].copy_from_slice(&self.wide_destination(operand)?);
                Some(results)
            }
        };
        self.emit_atomic(Atomic {
            space,
            operation,
            value: AtomicType::Wide,
            count: 2,
            data,
            other,
            result,
            address,
            plus,
            order: found.order,
            scope: found.scope,
            ranks: None,
        })?;
        Ok(Class::Atomic)
    }

    pub(super) fn emit_atomic(&mut self, atomic: Atomic) -> Result<()> {
        self.program.atomics.push(atomic);
        self.emit(Operation::Atomic(self.program.atomics.len() as u32 - 1), 0, [0; 4])
    }

    /// The elements of a vector, or the single operand.
    fn elements<'i>(
        &self,
        i: &Instruction,
        operand: &'i Operand,
        count: usize,
    ) -> Result<&'i [Operand]> {
        let all = match operand {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() == count {
            return Ok(all);
        }
        self.error(format!("`{}` needs {count} registers", i.opcode))
    }
}
