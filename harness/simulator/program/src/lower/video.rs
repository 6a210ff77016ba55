//! Integers of 8 and 16 bits in parts of registers: video instructions, and `add`, `min`, `max` of two at once.

use super::builder::{Builder, Result};
use super::opcode::WORD;
use crate::alu::General;
use crate::class::Class;
use ptx::ast::{Instruction, Operand};
use semantics::compare::Comparison;
use semantics::video::{Operation, Part, Sum, Then, Video};

/// Parses an operation without the `v`, and its number of parts: 1, 2 or 4.
fn operation(word: &str) -> Option<(Operation, u8)> {
    let (word, lanes) = match word.strip_suffix(['2', '4']) {
        Some(name) => (name, if word.ends_with('2') { 2 } else { 4 }),
        None => (word, 1),
    };
    let operation = match (word, lanes) {
        ("vadd", _) => Operation::Add,
        ("vsub", _) => Operation::Sub,
        ("vabsdiff", _) => Operation::Distance,
        ("vmin", _) => Operation::Min,
        ("vmax", _) => Operation::Max,
        ("vavrg", 2 | 4) => Operation::Average,
        ("vshl", 1) => Operation::ShiftLeft { wrap: false },
        ("vshr", 1) => Operation::ShiftRight { wrap: false },
        ("vset", _) => Operation::Compare(Comparison::Equal),
        ("vmad", 1) => Operation::MultiplyAdd { shift: 0, sum: Sum::Plain },
        _ => return None,
    };
    Some((operation, lanes))
}

/// The comparison of `vset`.
fn compared(word: &str) -> Option<Comparison> {
    Some(match word {
        "eq" => Comparison::Equal,
        "ne" => Comparison::NotEqual,
        "lt" => Comparison::Less,
        "le" => Comparison::LessEqual,
        "gt" => Comparison::Greater,
        "ge" => Comparison::GreaterEqual,
        _ => return None,
    })
}

/// Whether a type is signed.
fn signed(word: &str) -> Option<bool> {
    match word {
        "s32" => Some(true),
        "u32" => Some(false),
        _ => None,
    }
}

/// `-%r1`: the operand without its sign, and whether it had one.
fn negated(operand: &Operand) -> (Operand, bool) {
    match operand {
        Operand::Negative(name) => (Operand::Name(name.clone()), true),
        other => (other.clone(), false),
    }
}

/// `%r1.h0`: the register and the part.
fn selected(operand: &Operand) -> (Operand, Part) {
    const PARTS: [(&str, Part); 6] = [
        (".b0", Part::Byte(0)),
        (".b1", Part::Byte(1)),
        (".b2", Part::Byte(2)),
        (".b3", Part::Byte(3)),
        (".h0", Part::Half(0)),
        (".h1", Part::Half(1)),
    ];
    let Operand::Name(name) = operand else { return (operand.clone(), Part::Whole) };
    let found = PARTS.iter().find_map(|(suffix, part)| Some((name.strip_suffix(suffix)?, *part)));
    match found {
        Some((name, part)) => (Operand::Name(name.to_string()), part),
        None => (operand.clone(), Part::Whole),
    }
}

impl Builder<'_> {
    /// `None` for other instructions.
    pub(super) fn video(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        if let [base @ ("add" | "min" | "max"), modifiers @ .., of] = parts.as_slice() {
            return self.pairs(i, base, modifiers, of);
        }
        let Some((mut operation, lanes)) = operation(parts[0]) else { return Ok(None) };
        // A comparison gives 0 or 1, without a type for the result.
        let types: &[&str] = match operation {
            Operation::Compare(_) => &["u32"],
            _ => &[],
        };
        let types = [types, &parts[1..]].concat();
        let [d, a, b, modifiers @ ..] = types.as_slice() else {
            return self.unsupported(&i.opcode);
        };
        let (Some(d), Some(a_signed), Some(b_signed)) = (signed(d), signed(a), signed(b)) else {
            return self.unsupported(&i.opcode);
        };
        let (mut saturate, mut then, mut mode) = (false, Then::Nothing, false);
        for modifier in modifiers {
            match (*modifier, &mut operation) {
                ("sat", _) => saturate = true,
                ("po", Operation::MultiplyAdd { sum, .. }) => *sum = Sum::PlusOne,
                ("shr7", Operation::MultiplyAdd { shift, .. }) => *shift = 7,
                ("shr15", Operation::MultiplyAdd { shift, .. }) => *shift = 15,
                (_, Operation::MultiplyAdd { .. }) => return self.unsupported(&i.opcode),
                (word, Operation::Compare(comparison)) if compared(word).is_some() => {
                    (*comparison, mode) = (compared(word).unwrap_or(*comparison), true);
                }
                ("add", _) => then = Then::Add,
                ("min", _) if lanes == 1 => then = Then::Min,
                ("max", _) if lanes == 1 => then = Then::Max,
                (
                    "wrap" | "clamp",
                    Operation::ShiftLeft { wrap } | Operation::ShiftRight { wrap },
                ) => (*wrap, mode) = (*modifier == "wrap", true),
                _ => return self.unsupported(&i.opcode),
            }
        }
        let shifts =
            matches!(operation, Operation::ShiftLeft { .. } | Operation::ShiftRight { .. });
        let compares = matches!(operation, Operation::Compare(_));
        let multiplies = matches!(operation, Operation::MultiplyAdd { .. });
        let [target, a, b, c @ ..] = i.operands.as_slice() else {
            return self.error(format!("`{}` needs more operands", i.opcode));
        };
        let [(a, minus_a), (b, minus_b)] = [a, b].map(negated);
        let c: Vec<(Operand, bool)> = c.iter().map(negated).collect();
        let minus_c = c.first().is_some_and(|(_, minus)| *minus);
        if let Operation::MultiplyAdd { sum, .. } = &mut operation {
            *sum = match (*sum, minus_a != minus_b, minus_c) {
                (sum, false, false) => sum,
                (Sum::Plain, true, false) => Sum::NegativeProduct,
                (Sum::Plain, false, true) => Sum::NegativeThird,
                _ => {
                    return self.error(format!(
                        "`{}` has one negative operand at most, and none with .po",
                        i.opcode
                    ));
                }
            };
        } else if minus_a || minus_b || minus_c {
            return self.error(format!("operands of `{}` cannot be negative", i.opcode));
        }
        let ((target, to), (a, part_a), (b, part_b)) =
            (selected(target), selected(&a), selected(&b));
        if to != Part::Whole {
            if then != Then::Nothing {
                return self.error(format!("`{}` cannot write a part of a register", i.opcode));
            }
            then = Then::Merge(to);
        }
        let whole = [to, part_a, part_b].iter().all(|part| *part == Part::Whole);
        if (shifts || compares) != mode || shifts && b_signed || lanes > 1 && !whole {
            return self.unsupported(&i.opcode);
        }
        let has_third = multiplies || lanes > 1 || then != Then::Nothing;
        self.arity(i, if has_third { 4 } else { 3 })?;
        let [a, b] = [a, b].map(|operand| self.source(&operand, WORD));
        let c = c.first().map(|(operand, _)| self.source(operand, WORD)).transpose()?;
        let video = Video {
            operation,
            a: (part_a, a_signed),
            b: (part_b, b_signed),
            // The operands of a sum of products decide.
            signed: if multiplies {
                a_signed || b_signed || minus_a != minus_b || minus_c
            } else {
                d
            },
            saturate,
            then,
        };
        let d = self.destination(&target, WORD)?;
        let operation = crate::instruction::Operation::General(General::Video(video, lanes));
        self.emit(operation, d, [a?, b?, c.unwrap_or(0), 0])?;
        Ok(Some(Class::Integer))
    }

    /// `add.u16x2`, `min.relu.s16x2`, `max.relu.s32` and the like; `None` for other instructions.
    fn pairs(
        &mut self,
        i: &Instruction,
        base: &str,
        modifiers: &[&str],
        of: &str,
    ) -> Result<Option<Class>> {
        let then = match modifiers {
            [] => Then::Nothing,
            ["relu"] if base != "add" => Then::Relu,
            _ => return Ok(None),
        };
        let (signed, lanes) = match (of, then) {
            ("s16x2", _) => (true, 2),
            ("u16x2", Then::Nothing) => (false, 2),
            ("s32", Then::Relu) => (true, 1),
            _ => return Ok(None),
        };
        let operation = match base {
            "add" => Operation::Add,
            "min" => Operation::Min,
            _ => Operation::Max,
        };
        self.arity(i, 3)?;
        let [a, b, ..] = self.sources(&i.operands[1..], &[WORD; 2])?;
        let whole = (Part::Whole, signed);
        let video = Video { operation, a: whole, b: whole, signed, saturate: false, then };
        let d = self.destination(&i.operands[0], WORD)?;
        let operation = crate::instruction::Operation::General(General::Video(video, lanes));
        self.emit(operation, d, [a, b, 0, 0])?;
        Ok(Some(Class::Integer))
    }
}
