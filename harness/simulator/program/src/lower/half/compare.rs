//! Comparisons of 16-bit floats, executed in 32 bits.

use super::super::builder::{Builder, Result};
use super::super::opcode::{PREDICATE, WORD, comparison};
use super::{NARROW, format};
use crate::alu::Fast;
use crate::alu::lanewise::Compared;
use crate::class::Class;
use crate::instruction::{Constant, Logic, Operation};
use crate::registers::File;
use ptx::ast::{Instruction, Operand};
use semantics::half::Format;

/// The bits of true in a type, and whether a register holds two values.
fn truth(word: &str) -> Option<(u64, bool)> {
    Some(match word {
        "f16" => (0x3c00, false),
        "f16x2" => (0x3c00, true),
        "bf16" => (0x3f80, false),
        "bf16x2" => (0x3f80, true),
        "u16" | "s16" => (0xffff, false),
        "u32" | "s32" => (u64::from(u32::MAX), false),
        "f32" => (u64::from(1f32.to_bits()), false),
        _ => return None,
    })
}

impl Builder<'_> {
    /// `setp.cmp{.bool}.type p{|q}, a, b{, c}`, and `set.cmp{.bool}.to.type d, a, b{, c}`. For two numbers in a
    /// register `setp` gives two predicates, that of the lower first.
    pub(super) fn compare_halves(
        &mut self,
        i: &Instruction,
        modifiers: &[&str],
        to: Option<&str>,
        of: &str,
    ) -> Result<Option<Class>> {
        let Some((format, pair)) = format(of) else { return Ok(None) };
        let (compare, logic) = match modifiers {
            [compare] => (*compare, None),
            [compare, "and"] => (*compare, Some(Logic::And)),
            [compare, "or"] => (*compare, Some(Logic::Or)),
            [compare, "xor"] => (*compare, Some(Logic::Xor)),
            _ => return Ok(None),
        };
        let unsigned_only = matches!(compare, "lo" | "ls" | "hi" | "hs");
        let Some(compare) = comparison(compare).filter(|_| !unsigned_only) else {
            return Ok(None);
        };
        let truth = to.map(truth);
        // A pair compares with a pair.
        if truth.is_some_and(|truth| truth.is_none_or(|(_, two)| two != pair)) {
            return Ok(None);
        }
        self.arity(i, 3 + usize::from(logic.is_some()))?;
        let widen = match format {
            Format::F16 => Fast::F32FromF16,
            Format::Bf16 => Fast::F32FromBf16,
        };
        let [a, b, ..] = self.sources(&i.operands[1..3], &[if pair { WORD } else { NARROW }; 2])?;
        let parts: &[Fast] = if pair { &[Fast::Low16, Fast::High16] } else { &[Fast::Move16] };
        let combine = logic.map(|logic| (logic, &i.operands[3]));
        let mut results = Vec::new();
        for &part in parts {
            let [a, b] = [a, b].map(|it| {
                let half = self.scratch(part, [it, 0, 0])?;
                self.scratch(widen, [half, 0, 0])
            });
            let p = self.scratch_register(File::Predicates)?;
            self.emit(Operation::Compare(Compared::F32, compare), p, [a?, b?, 0, 0])?;
            results.push(p);
        }
        match truth.flatten() {
            Some((bits, _)) => self.set_halves(i, bits, &results, combine)?,
            None => self.set_predicates(i, &results, combine, pair)?,
        }
        Ok(Some(Class::Predicate))
    }

    /// Predicates: a single comparison and its complement, or both comparisons.
    fn set_predicates(
        &mut self,
        i: &Instruction,
        results: &[u16],
        combine: Option<(Logic, &Operand)>,
        pair: bool,
    ) -> Result<()> {
        let mut results = results.to_vec();
        if !pair {
            let complement = self.scratch_register(File::Predicates)?;
            self.emit(Operation::Predicate(Logic::Not), complement, [results[0], 0, 0, 0])?;
            results.push(complement);
        }
        for result in &mut results {
            *result = self.combined(*result, combine)?;
        }
        let targets = match &i.operands[0] {
            Operand::Pair(p, q) => vec![Operand::Name(p.clone()), Operand::Name(q.clone())],
            _ if pair => {
                return self.error(format!("`{}` writes two predicates, `p|q`", i.opcode));
            }
            one => vec![one.clone()],
        };
        for (target, result) in targets.iter().zip(results) {
            let d = self.destination(target, PREDICATE)?;
            self.emit(Operation::Predicate(Logic::Move), d, [result, 0, 0, 0])?;
        }
        Ok(())
    }

    /// Numbers: the bits of true, or 0.
    fn set_halves(
        &mut self,
        i: &Instruction,
        bits: u64,
        results: &[u16],
        combine: Option<(Logic, &Operand)>,
    ) -> Result<()> {
        let one = self.constant(File::Words, Constant::Bits(bits))?;
        let zero = self.constant(File::Words, Constant::Bits(0))?;
        let mut values = Vec::new();
        for &result in results {
            let result = self.combined(result, combine)?;
            values.push(self.scratch(Fast::Select32, [one, zero, result])?);
        }
        let d = self.destination(&i.operands[0], WORD)?;
        match values.as_slice() {
            [low, high] => self.emit(Operation::Fast(Fast::Pack16), d, [*low, *high, 0, 0]),
            _ => self.emit(Operation::Fast(Fast::Move32), d, [values[0], 0, 0, 0]),
        }
    }
}
