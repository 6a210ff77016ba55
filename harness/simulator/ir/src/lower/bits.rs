//! LLVM's functions on integers.

use super::function::Lowerer;
use super::intrinsics::argument;
use super::part::Part;
use super::values::bits_of;
use crate::error::{Problem, problem};
use crate::machine::{Operand, Register};
use crate::syntax::Call;
use crate::types::{Class, Scalar};

impl Lowerer<'_> {
    /// A function of LLVM's on integers of so many bits; none if it is not known.
    pub fn integer_function(
        &mut self,
        name: &str,
        bits: u32,
        operands: Vec<Operand>,
    ) -> Result<Option<Register>, Problem> {
        let class = Scalar::Integer(bits).class();
        let width = class.bits();
        let mut it = operands.into_iter();
        let Some(x) = it.next() else { return Ok(None) };
        let y = it.next().unwrap_or(Operand::Integer(0));
        let z = it.next().unwrap_or(Operand::Integer(0));
        if class == Class::Predicate {
            // Of single bits true is the largest without a sign, and the smallest with one.
            return match name {
                "umax" | "smin" => self.integer("or", 1, x, y).map(Some),
                "umin" | "smax" => self.integer("and", 1, x, y).map(Some),
                _ => Ok(None),
            };
        }
        let result = match name {
            "smax" | "smin" => {
                let both = [x, y].map(|it| self.sign_extended(it, bits, class));
                let [x, y] = both.map(|it| Operand::Register(self.in_register(it, class)));
                let result = self.pure(format!("{}.s{width}", &name[1..]), class, vec![x, y]);
                self.masked(result, bits)
            }
            "umax" | "umin" => {
                let [x, y] = [x, y].map(|it| Operand::Register(self.in_register(it, class)));
                self.pure(format!("{}.u{width}", &name[1..]), class, vec![x, y])
            }
            "abs" => {
                let x = self.sign_extended(x, bits, class);
                let x = Operand::Register(self.in_register(x, class));
                let result = self.pure(format!("abs.s{width}"), class, vec![x]);
                self.masked(result, bits)
            }
            "usub.sat" => {
                let largest = self.integer_function("umax", bits, vec![x, y.clone()])?;
                let Some(largest) = largest else { return Ok(None) };
                self.integer("sub", bits, Operand::Register(largest), y)?
            }
            "uadd.sat" => {
                let sum = Operand::Register(self.integer("add", bits, x.clone(), y)?);
                let is_over = self.compare_integers("ult", bits, sum.clone(), x)?;
                let most = bits_of(Scalar::Integer(bits), u64::MAX);
                self.select_scalar(Scalar::Integer(bits), Operand::Register(is_over), most, sum)?
            }
            "sadd.sat" | "ssub.sat" if bits == 32 => {
                let [x, y] = [x, y].map(|it| Operand::Register(self.in_register(it, class)));
                self.pure(format!("{}.sat.s32", &name[1..4]), class, vec![x, y])
            }
            "ctpop" | "ctlz" | "cttz" | "bitreverse" => {
                return self.bits_function(name, bits, x).map(Some);
            }
            "bswap" => return self.swapped_bytes(bits, x).map(Some),
            "fshl" | "fshr" => self.funnel(name, bits, x, y, z)?,
            "scmp" | "ucmp" => return Ok(None),
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Counts and reversals, which PTX has for 32 and 64 bits.
    fn bits_function(&mut self, name: &str, bits: u32, x: Operand) -> Result<Register, Problem> {
        let width = if bits > 32 { 64 } else { 32 };
        let (own, wide) = (Scalar::Integer(bits), Scalar::Integer(width));
        let x = self.resized(own, x, wide, false);
        let x = Operand::Register(self.in_register(x, wide.class()));
        let reversed = |lowerer: &mut Self, x: Operand| {
            Operand::Register(lowerer.pure(format!("brev.b{width}"), wide.class(), vec![x]))
        };
        let unused = Operand::Integer((width - bits).into());
        if name == "bitreverse" {
            let all = reversed(self, x);
            let low = if width == bits {
                all
            } else {
                Operand::Register(self.integer("lshr", width, all, unused)?)
            };
            let result = self.resized(wide, low, own, false);
            return Ok(self.in_register(result, own.class()));
        }
        let count = match name {
            "ctpop" => self.pure(format!("popc.b{width}"), Class::B32, vec![x]),
            "ctlz" => {
                let zeros = self.pure(format!("clz.b{width}"), Class::B32, vec![x]);
                match width == bits {
                    true => zeros,
                    false => self.integer("sub", 32, Operand::Register(zeros), unused)?,
                }
            }
            _ => {
                // A bit above all others ends the count where there is none.
                let x = match width == bits {
                    true => x,
                    false => Operand::Register(self.integer(
                        "or",
                        width,
                        x,
                        Operand::Integer(1 << bits),
                    )?),
                };
                let x = reversed(self, x);
                self.pure(format!("clz.b{width}"), Class::B32, vec![x])
            }
        };
        let result = self.resized(Scalar::Integer(32), Operand::Register(count), own, false);
        Ok(self.in_register(result, own.class()))
    }

    fn swapped_bytes(&mut self, bits: u32, x: Operand) -> Result<Register, Problem> {
        let own = Scalar::Integer(bits);
        let word = Scalar::Integer(32);
        let swap = |lowerer: &mut Self, x: Operand, selector: i64| {
            let x = Operand::Register(lowerer.in_register(x, Class::B32));
            let operands = vec![x, Operand::Integer(0), Operand::Integer(selector)];
            Operand::Register(lowerer.pure("prmt.b32", Class::B32, operands))
        };
        let result = match bits {
            16 => {
                let x = self.resized(own, x, word, false);
                let swapped = swap(self, x, 0x4401);
                self.resized(word, swapped, own, false)
            }
            32 => swap(self, x, 0x0123),
            64 => {
                let low = self.resized(own, x.clone(), word, false);
                let high = self.integer("lshr", 64, x, Operand::Integer(32))?;
                let high = self.resized(own, Operand::Register(high), word, false);
                let (low, high) = (swap(self, low, 0x0123), swap(self, high, 0x0123));
                let low = self.resized(word, low, own, false);
                let high = self.resized(word, high, own, false);
                let low = self.integer("shl", 64, low, Operand::Integer(32))?;
                return self.integer("or", 64, Operand::Register(low), high);
            }
            _ => return problem("the bytes of this integer cannot be swapped"),
        };
        Ok(self.in_register(result, own.class()))
    }

    /// The high or low bits of two integers one after the other, shifted.
    fn funnel(
        &mut self,
        name: &str,
        bits: u32,
        x: Operand,
        y: Operand,
        by: Operand,
    ) -> Result<Register, Problem> {
        let is_left = name == "fshl";
        if bits == 32 {
            let opcode = if is_left { "shf.l.wrap.b32" } else { "shf.r.wrap.b32" };
            let [x, y] = [x, y].map(|it| Operand::Register(self.in_register(it, Class::B32)));
            return Ok(self.pure(opcode, Class::B32, vec![y, x, by]));
        }
        if !bits.is_power_of_two() {
            return problem("a rotation of this integer is not supported");
        }
        // Two shifts, one of them in two steps, since a shift by all bits is none.
        let most = Operand::Integer(i64::from(bits) - 1);
        let by = self.integer("and", bits, by, most.clone())?;
        let rest = self.integer("sub", bits, most, Operand::Register(by))?;
        let (by, rest) = (Operand::Register(by), Operand::Register(rest));
        let one = Operand::Integer(1);
        let (high, low) = match is_left {
            true => {
                let half = self.integer("lshr", bits, y, one)?;
                (
                    self.integer("shl", bits, x, by)?,
                    self.integer("lshr", bits, Operand::Register(half), rest)?,
                )
            }
            false => {
                let half = self.integer("shl", bits, x, one)?;
                (
                    self.integer("shl", bits, Operand::Register(half), rest)?,
                    self.integer("lshr", bits, y, by)?,
                )
            }
        };
        self.integer("or", bits, Operand::Register(high), Operand::Register(low))
    }

    /// A sum or the like, and whether it is too large.
    pub fn overflowing(&mut self, operation: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let (kind, left) = argument(call, 0)?;
        let (_, right) = argument(call, 1)?;
        let Scalar::Integer(bits @ (16 | 32 | 64)) = kind.scalar()? else {
            return problem("overflow of this type is not supported");
        };
        let class = kind.scalar()?.class();
        let both = [self.scalar(&kind, left)?, self.scalar(&kind, right)?];
        let [x, y] = both.map(|it| Operand::Register(self.in_register(it, class)));
        let name = &operation[1.min(operation.len())..];
        let result = Operand::Register(self.integer(name, bits, x.clone(), y.clone())?);
        let is_over = match operation {
            "uadd" => self.compare_integers("ult", bits, result.clone(), x)?,
            "usub" => self.compare_integers("ult", bits, x, y)?,
            "sadd" | "ssub" => {
                // The sign is wrong: that of the result differs from what both operands, or the first alone, say.
                let one = self.integer("xor", bits, x.clone(), result.clone())?;
                let other = if operation == "sadd" { result.clone() } else { x };
                let other = self.integer("xor", bits, y, other)?;
                let wrong =
                    self.integer("and", bits, Operand::Register(one), Operand::Register(other))?;
                self.compare_integers("slt", bits, Operand::Register(wrong), Operand::Integer(0))?
            }
            "umul" | "smul" => {
                let letter = if operation == "umul" { 'u' } else { 's' };
                let high = self.pure(format!("mul.hi.{letter}{bits}"), class, vec![x, y]);
                let expected = match operation {
                    "umul" => Operand::Integer(0),
                    _ => {
                        let sign = Operand::Integer(i64::from(bits) - 1);
                        Operand::Register(self.integer("ashr", bits, result.clone(), sign)?)
                    }
                };
                self.compare_integers("ne", bits, Operand::Register(high), expected)?
            }
            _ => {
                return problem(format!(
                    "the function llvm.{operation}.with.overflow is not supported"
                ));
            }
        };
        Ok(vec![Part::Value(result), Part::Value(Operand::Register(is_over))])
    }
}
