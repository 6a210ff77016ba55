//! Arithmetic on 16-bit floats.

use super::super::builder::{Builder, Result};
use super::super::opcode::WORD;
use super::NARROW;
use crate::alu::{Clamp, General, Half, HalfModifiers};
use crate::class::Class;
use crate::instruction::Operation;
use ptx::ast::Instruction;
use semantics::half::Format;

/// The modifiers that an operation allows.
#[derive(PartialEq)]
enum Family {
    /// A rounding operation: `.rn`, and for `.f16` also `.ftz` and `.sat`; `fma` has `.relu` as well.
    Rounds,
    /// `.NaN`, `.xorsign.abs`, and for `.f16` also `.ftz`.
    Chooses,
    /// For `.f16` `.ftz`.
    Signs,
    /// `.approx`, and for `.bf16` always `.ftz`.
    Approximates,
}

impl Builder<'_> {
    /// `add.f16x2 d, a, b` and the like; `None` for other instructions.
    pub(super) fn half_arithmetic(
        &mut self,
        i: &Instruction,
        base: &str,
        modifiers: &[&str],
        (format, pair): (Format, bool),
    ) -> Result<Option<Class>> {
        let has = |modifier| modifiers.contains(&modifier);
        let (nan, product_sign) = (has("NaN"), has("xorsign"));
        let extreme = |greatest| Half::Extreme { greatest, nan, product_sign };
        use Family::*;
        let (operation, count, family, class) = match base {
            "add" => (Half::Add, 2, Rounds, Class::Fp32Add),
            "sub" => (Half::Sub, 2, Rounds, Class::Fp32Add),
            "mul" => (Half::Mul, 2, Rounds, Class::Fp32Mul),
            "fma" if has("rn") => (Half::Fma, 3, Rounds, Class::Fp32Fma),
            "min" => (extreme(false), 2, Chooses, Class::Fp32Add),
            "max" => (extreme(true), 2, Chooses, Class::Fp32Add),
            "neg" => (Half::Neg, 1, Signs, Class::Fp32Add),
            "abs" => (Half::Abs, 1, Signs, Class::Fp32Add),
            "ex2" => (Half::Ex2, 1, Approximates, Class::Mufu),
            "tanh" => (Half::Tanh, 1, Approximates, Class::Mufu),
            _ => return Ok(None),
        };
        let is_f16 = format == Format::F16;
        let allowed = |modifier: &&str| match (*modifier, &family) {
            ("rn", Rounds) | ("NaN" | "xorsign" | "abs", Chooses) | ("approx", Approximates) => {
                true
            }
            ("sat", Rounds) => is_f16,
            ("relu", Rounds) => operation == Half::Fma && !has("sat"),
            ("ftz", Rounds | Chooses | Signs) => is_f16,
            ("ftz", Approximates) => operation == Half::Ex2 && !is_f16,
            _ => false,
        };
        let complete = has("abs") == product_sign || family != Chooses;
        let complete = complete && has("approx") == (family == Approximates);
        // `ex2` of `.bf16` has `.ftz`.
        let complete = complete && (operation != Half::Ex2 || is_f16 || has("ftz"));
        if !modifiers.iter().all(allowed) || !complete {
            return Ok(None);
        }
        let clamp = match (has("sat"), has("relu")) {
            (true, _) => Clamp::Unit,
            (_, true) => Clamp::Positive,
            _ => Clamp::None,
        };
        let m = HalfModifiers { format, pair, ftz: has("ftz"), clamp };
        self.arity(i, 1 + count)?;
        let element = if pair { WORD } else { NARROW };
        let operands = self.sources(&i.operands[1..], &[element; 3][..count])?;
        let d = self.destination(&i.operands[0], element)?;
        self.emit(Operation::General(General::Half(operation, m)), d, operands)?;
        Ok(Some(class))
    }
}
