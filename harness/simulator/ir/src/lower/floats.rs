//! Floating-point arithmetic.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{Operand, Register};
use crate::syntax::{Flags, Value};
use crate::types::{Class, Scalar, Type};

/// The bits of 1.
const ONE: Operand = Operand::Single(0x3f80_0000);
const ONE_DOUBLE: Operand = Operand::Double(0x3ff0_0000_0000_0000);

impl Lowerer<'_> {
    /// The type of a scalar in an opcode, after `.ftz` where subnormal numbers are 0.
    pub fn float_type(&self, scalar: Scalar) -> Result<&'static str, Problem> {
        Ok(match scalar {
            Scalar::Float if self.flushes => ".ftz.f32",
            Scalar::Float => ".f32",
            Scalar::Double => ".f64",
            Scalar::Half => ".f16",
            Scalar::BFloat => ".bf16",
            _ => return problem("a floating-point number is expected"),
        })
    }

    /// One operation on two numbers. An opcode without a rounding says that a product and a sum may be fused.
    pub fn float(
        &mut self,
        name: &str,
        flags: Flags,
        scalar: Scalar,
        left: Operand,
        right: Operand,
    ) -> Result<Register, Problem> {
        let kind = self.float_type(scalar)?;
        let class = scalar.class();
        let rounding = if flags.may_contract && class != Class::B16 { "" } else { ".rn" };
        let is_single = scalar == Scalar::Float;
        let opcode = match name {
            "fadd" => format!("add{rounding}{kind}"),
            "fsub" => format!("sub{rounding}{kind}"),
            "fmul" => format!("mul{rounding}{kind}"),
            "fdiv" if left == ONE || left == ONE_DOUBLE => {
                let is_fast =
                    is_single && (self.context.options.fast_division || flags.may_approximate);
                let opcode =
                    if is_fast { format!("rcp.approx{kind}") } else { format!("rcp.rn{kind}") };
                let right = self.in_register(right, class);
                return Ok(self.pure(opcode, class, vec![Operand::Register(right)]));
            }
            "fdiv" if is_single && flags.may_approximate => format!("div.approx{kind}"),
            "fdiv" if is_single && self.context.options.fast_division => format!("div.full{kind}"),
            "fdiv" if class != Class::B16 => format!("div.rn{kind}"),
            _ => return problem(format!("`{name}` of this type is not supported")),
        };
        let both = [left, right].map(|it| Operand::Register(self.in_register_of(it, scalar)));
        Ok(self.pure(opcode, class, both.to_vec()))
    }

    fn in_register_of(&mut self, operand: Operand, scalar: Scalar) -> Register {
        self.in_register(operand, scalar.class())
    }

    pub fn negate(&mut self, kind: &Type, value: &Value) -> Result<Vec<Part>, Problem> {
        let scalars = kind.parts()?;
        let operands = self.parts(kind, value)?;
        let mut results = Vec::new();
        for (scalar, operand) in scalars.into_iter().zip(operands) {
            let opcode = format!("neg{}", self.float_type(scalar)?);
            let operand = self.in_register(operand, scalar.class());
            let result = self.pure(opcode, scalar.class(), vec![Operand::Register(operand)]);
            results.push(Part::Value(Operand::Register(result)));
        }
        Ok(results)
    }

    /// A function of LLVM's on numbers of one type; none if it is not known.
    pub fn float_function(
        &mut self,
        name: &str,
        scalar: Scalar,
        mut operands: Vec<Operand>,
        flags: Flags,
    ) -> Result<Option<Register>, Problem> {
        if !scalar.is_float() {
            return Ok(None);
        }
        let kind = self.float_type(scalar)?;
        // Conversions name both types.
        let own = kind.trim_start_matches(".ftz");
        let is_single = scalar == Scalar::Float;
        let opcode = match name {
            "fabs" => format!("abs{kind}"),
            "sqrt" if is_single && (self.context.options.fast_root || flags.may_approximate) => {
                format!("sqrt.approx{kind}")
            }
            "sqrt" => format!("sqrt.rn{kind}"),
            "floor" => format!("cvt.rmi{kind}{own}"),
            "ceil" => format!("cvt.rpi{kind}{own}"),
            "trunc" => format!("cvt.rzi{kind}{own}"),
            "rint" | "nearbyint" | "roundeven" => format!("cvt.rni{kind}{own}"),
            "fma" | "fmuladd" => format!("fma.rn{kind}"),
            "minnum" | "minimumnum" => format!("min{kind}"),
            "maxnum" | "maximumnum" => format!("max{kind}"),
            "minimum" => format!("min{}", kind.replace(own, &format!(".NaN{own}"))),
            "maximum" => format!("max{}", kind.replace(own, &format!(".NaN{own}"))),
            "copysign" => {
                operands.reverse();
                format!("copysign{own}")
            }
            "exp2" if is_single => format!("ex2.approx{kind}"),
            "log2" if is_single && flags.may_approximate => format!("lg2.approx{kind}"),
            "sin" | "cos" if is_single && flags.may_approximate => format!("{name}.approx{kind}"),
            _ => return Ok(None),
        };
        let operands =
            operands.into_iter().map(|it| Operand::Register(self.in_register(it, scalar.class())));
        let operands = operands.collect();
        Ok(Some(self.pure(opcode, scalar.class(), operands)))
    }

    /// Whether a number is of one of the classes whose bits are set: from signalling NaN over negative infinity and so on to
    /// positive infinity.
    pub fn is_of_class(
        &mut self,
        scalar: Scalar,
        operand: Operand,
        classes: u64,
    ) -> Result<Register, Problem> {
        let (infinity, quiet) = match scalar {
            Scalar::Float => (0x7f80_0000_u64, 1_u64 << 22),
            Scalar::Double => (0x7ff0_0000_0000_0000, 1 << 51),
            _ => return problem("the class of a number of 16 bits is not supported"),
        };
        let bits = scalar.bits();
        let normal = quiet << 1;
        let sign = 1_u64 << (bits - 1);
        // The bits of the numbers of each class with the sign that is not set.
        let positive =
            [(6, 0, 0), (7, 1, normal - 1), (8, normal, infinity - 1), (9, infinity, infinity)];
        let negative =
            [(5, 0, 0), (4, 1, normal - 1), (3, normal, infinity - 1), (2, infinity, infinity)];
        let nans = [(0, infinity + 1, infinity + quiet - 1), (1, infinity + quiet, sign - 1)];
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (all, sign) in [(positive, 0), (negative, sign)] {
            for (class, first, last) in all.into_iter().chain(nans) {
                if classes >> class & 1 == 0 {
                    continue;
                }
                let (first, last) = (first | sign, last | sign);
                match ranges.last_mut() {
                    Some(range) if range.1 + 1 == first => range.1 = last,
                    _ => ranges.push((first, last)),
                }
            }
        }
        let class = scalar.class();
        let number = Operand::Register(self.in_register(operand, class));
        let mut any: Option<Register> = None;
        for (first, last) in ranges {
            let above = match first {
                0 => number.clone(),
                _ => {
                    let first = Operand::Integer(0_i64.wrapping_sub(first as i64));
                    let first = super::values::bits_of(Scalar::Integer(bits), integer(&first));
                    Operand::Register(self.pure(
                        format!("add.s{bits}"),
                        class,
                        vec![number.clone(), first],
                    ))
                }
            };
            let most = super::values::bits_of(Scalar::Integer(bits), last - first);
            let is_it = self.pure(format!("setp.le.u{bits}"), Class::Predicate, vec![above, most]);
            any = Some(match any {
                Some(before) => {
                    let both = vec![Operand::Register(before), Operand::Register(is_it)];
                    self.pure("or.pred", Class::Predicate, both)
                }
                None => is_it,
            });
        }
        match any {
            Some(any) => Ok(any),
            None => Ok(self.in_register(Operand::Integer(0), Class::Predicate)),
        }
    }
}

fn integer(operand: &Operand) -> u64 {
    match operand {
        Operand::Integer(value) => *value as u64,
        _ => 0,
    }
}
