//! From one type to another.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{Operand, Register, Space};
use crate::syntax::{Flags, Value};
use crate::types::{Class, Scalar, Type};

impl Lowerer<'_> {
    /// A conversion of each scalar; a pointer that results is one into `space`.
    pub fn convert(
        &mut self,
        name: &str,
        flags: Flags,
        from: &Type,
        value: &Value,
        to: &Type,
        space: Space,
    ) -> Result<Vec<Part>, Problem> {
        let _ = flags;
        let is_pointer = |kind: &Type| matches!(kind, Type::Scalar(Scalar::Pointer(_)));
        if is_pointer(from) && is_pointer(to) {
            return Ok(vec![self.pointer_part(value, from, space)?]);
        }
        let (sources, targets) = (from.parts()?, to.parts()?);
        let operands = self.parts(from, value)?;
        if name == "bitcast" && sources.len() != targets.len() {
            return self.regroup(&sources, operands, &targets);
        }
        let mut results = Vec::new();
        for ((source, target), operand) in sources.into_iter().zip(targets).zip(operands) {
            let result = self.convert_scalar(name, source, operand, target)?;
            results.push(match target {
                Scalar::Pointer(_) => Part::of_pointer(&result),
                _ => Part::Value(result),
            });
        }
        Ok(results)
    }

    fn convert_scalar(
        &mut self,
        name: &str,
        source: Scalar,
        operand: Operand,
        target: Scalar,
    ) -> Result<Operand, Problem> {
        let whole = Scalar::Integer(64);
        match name {
            "bitcast" if source.class() == target.class() => match operand {
                Operand::Integer(_) | Operand::Single(_) | Operand::Double(_) => {
                    Ok(Operand::Register(self.in_register(operand, source.class())))
                }
                operand => Ok(operand),
            },
            "zext" | "trunc" => Ok(self.resized(source, operand, target, false)),
            "sext" => Ok(self.resized(source, operand, target, true)),
            "ptrtoint" | "ptrtoaddr" => Ok(self.resized(whole, operand, target, false)),
            "inttoptr" => Ok(self.resized(source, operand, whole, false)),
            "fptrunc" | "fpext" => {
                self.between_floats(source, operand, target).map(Operand::Register)
            }
            "fptoui" | "fptosi" => {
                self.rounded_to_integer(name, source, operand, target).map(Operand::Register)
            }
            "uitofp" | "sitofp" => {
                self.integer_as_float(name, source, operand, target).map(Operand::Register)
            }
            _ => problem(format!("`{name}` between these types is not supported")),
        }
    }

    /// An integer in another width.
    pub fn resized(
        &mut self,
        source: Scalar,
        operand: Operand,
        target: Scalar,
        is_signed: bool,
    ) -> Operand {
        let (from, to) = (source.class(), target.class());
        let (bits, new_bits) = (source.bits(), target.bits());
        let operand = match operand {
            Operand::Integer(value) => {
                let value = match is_signed {
                    true => value << (64 - bits) >> (64 - bits),
                    false => (value as u64 & super::values::mask(bits)) as i64,
                };
                return super::values::bits_of(Scalar::Integer(new_bits), value as u64);
            }
            operand => operand,
        };
        if bits == new_bits {
            return operand;
        }
        if from == Class::Predicate {
            let ones = if is_signed {
                super::values::bits_of(target, u64::MAX)
            } else {
                Operand::Integer(1)
            };
            let operands = vec![ones, Operand::Integer(0), operand];
            return Operand::Register(self.pure(format!("selp.b{}", to.bits()), to, operands));
        }
        if to == Class::Predicate {
            let width = from.bits();
            let low = self.pure(format!("and.b{width}"), from, vec![operand, Operand::Integer(1)]);
            let operands = vec![Operand::Register(low), Operand::Integer(0)];
            return Operand::Register(self.pure(
                format!("setp.ne.b{width}"),
                Class::Predicate,
                operands,
            ));
        }
        let letter = if is_signed { 's' } else { 'u' };
        let resized = match (is_signed && bits < from.bits(), from == to) {
            (true, false) if bits == 8 && new_bits > bits => {
                let opcode = format!("cvt.s{}.s8", to.bits());
                Operand::Register(self.pure(opcode, to, vec![operand]))
            }
            (true, _) => {
                let extended = self.sign_extended(operand, bits, from);
                match from == to {
                    true => extended,
                    false => {
                        let opcode = format!("cvt.s{}.s{}", to.bits(), from.bits());
                        Operand::Register(self.pure(opcode, to, vec![extended]))
                    }
                }
            }
            (false, true) => operand,
            (false, false) => {
                let opcode = format!("cvt.{letter}{}.{letter}{}", to.bits(), from.bits());
                Operand::Register(self.pure(opcode, to, vec![operand]))
            }
        };
        let may_be_wide = new_bits < bits || is_signed;
        match resized {
            Operand::Register(register) if may_be_wide => {
                Operand::Register(self.masked(register, new_bits))
            }
            resized => resized,
        }
    }

    fn between_floats(
        &mut self,
        source: Scalar,
        operand: Operand,
        target: Scalar,
    ) -> Result<Register, Problem> {
        let (from, to) = (self.short_type(source)?, self.short_type(target)?);
        let flush = self.flush_of(source, target);
        let rounding = if target.bits() < source.bits() { ".rn" } else { "" };
        let operand = Operand::Register(self.in_register(operand, source.class()));
        Ok(self.pure(format!("cvt{rounding}{flush}.{to}.{from}"), target.class(), vec![operand]))
    }

    fn rounded_to_integer(
        &mut self,
        name: &str,
        source: Scalar,
        operand: Operand,
        target: Scalar,
    ) -> Result<Register, Problem> {
        let letter = if name == "fptosi" { 's' } else { 'u' };
        let class = match target.class() {
            Class::Predicate => {
                return problem("a floating-point number as a single bit is not supported");
            }
            class => class,
        };
        let (from, flush) = (self.short_type(source)?, self.flush_of(source, source));
        let operand = Operand::Register(self.in_register(operand, source.class()));
        let opcode = format!("cvt.rzi{flush}.{letter}{}.{from}", class.bits());
        let result = self.pure(opcode, class, vec![operand]);
        Ok(self.masked(result, target.bits()))
    }

    fn integer_as_float(
        &mut self,
        name: &str,
        source: Scalar,
        operand: Operand,
        target: Scalar,
    ) -> Result<Register, Problem> {
        let is_signed = name == "sitofp";
        let wide = match source.class() {
            Class::Predicate => Scalar::Integer(32),
            class => Scalar::Integer(class.bits()),
        };
        let operand = self.resized(source, operand, wide, is_signed);
        let operand = Operand::Register(self.in_register(operand, wide.class()));
        let letter = if is_signed { 's' } else { 'u' };
        let opcode = format!("cvt.rn.{}.{letter}{}", self.short_type(target)?, wide.bits());
        Ok(self.pure(opcode, target.class(), vec![operand]))
    }

    fn short_type(&self, scalar: Scalar) -> Result<&'static str, Problem> {
        Ok(self.float_type(scalar)?.trim_start_matches(".ftz").trim_start_matches('.'))
    }

    fn flush_of(&self, source: Scalar, target: Scalar) -> &'static str {
        let is_single = source == Scalar::Float || target == Scalar::Float;
        if self.flushes && is_single { ".ftz" } else { "" }
    }

    /// The same bits as other scalars: two as one, four as two and so on.
    pub fn regroup(
        &mut self,
        sources: &[Scalar],
        operands: Vec<Operand>,
        targets: &[Scalar],
    ) -> Result<Vec<Part>, Problem> {
        let (Some(source), Some(target)) = (sources.first(), targets.first()) else {
            return problem("this `bitcast` is not supported");
        };
        let (bits, new_bits) = (source.bits(), target.bits());
        let is_whole = bits * sources.len() as u32 == new_bits * targets.len() as u32
            && bits >= 8
            && new_bits >= 8;
        if !is_whole || bits.max(new_bits) > 64 || bits.max(new_bits) % bits.min(new_bits) != 0 {
            return problem("this `bitcast` is not supported");
        }
        let whole = Scalar::Integer(new_bits);
        let mut results = Vec::new();
        if new_bits > bits {
            for group in operands.chunks((new_bits / bits) as usize) {
                let mut all: Option<Operand> = None;
                for (part, shift) in group.iter().zip((0..).step_by(bits as usize)) {
                    let part = Operand::Register(self.in_register(part.clone(), source.class()));
                    let wide = self.resized(Scalar::Integer(bits), part, whole, false);
                    let moved = match shift {
                        0 => wide,
                        _ => Operand::Register(self.integer(
                            "shl",
                            new_bits,
                            wide,
                            Operand::Integer(shift),
                        )?),
                    };
                    all = Some(match all {
                        Some(before) => {
                            Operand::Register(self.integer("or", new_bits, before, moved)?)
                        }
                        None => moved,
                    });
                }
                results.extend(all.map(Part::Value));
            }
            return Ok(results);
        }
        for operand in operands {
            let operand = Operand::Register(self.in_register(operand, source.class()));
            for shift in (0..bits).step_by(new_bits as usize) {
                let moved = match shift {
                    0 => operand.clone(),
                    _ => Operand::Register(self.integer(
                        "lshr",
                        bits,
                        operand.clone(),
                        Operand::Integer(shift.into()),
                    )?),
                };
                results.push(Part::Value(self.resized(Scalar::Integer(bits), moved, whole, false)));
            }
        }
        Ok(results)
    }
}
