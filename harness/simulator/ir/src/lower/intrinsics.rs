//! LLVM's own functions.

use super::function::Lowerer;
use super::part::Part;
use super::text::Text;
use crate::error::{Problem, problem};
use crate::machine::Operand;
use crate::syntax::{Call, Value};
use crate::types::{Scalar, Type};

/// Functions that say something to an optimiser.
const NOTHING: [&str; 12] = [
    "lifetime.start",
    "lifetime.end",
    "assume",
    "donothing",
    "sideeffect",
    "prefetch",
    "stackrestore",
    "experimental.noalias.scope.decl",
    "dbg.value",
    "dbg.declare",
    "dbg.label",
    "invariant.end",
];

impl Lowerer<'_> {
    /// A call of a function `llvm.NAME`; its name ends with types.
    pub fn intrinsic(&mut self, whole: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        if let Some(name) = whole.strip_prefix("nvvm.wmma.") {
            return self.tile(name, call);
        }
        let name = without_types(whole);
        if let Some(name) = name.strip_prefix("nvvm.") {
            return self.nvvm(name, call);
        }
        if NOTHING.contains(&name) {
            return Ok(Vec::new());
        }
        match name {
            "memcpy" | "memcpy.inline" | "memmove" | "memset" | "memset.inline" => {
                return self.whole_memory(name, call);
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                let mut text = Text::default();
                text.add("trap;");
                self.push_text(text, true);
                return Ok(Vec::new());
            }
            "expect"
            | "ssa.copy"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "arithmetic.fence" => {
                let (parameter, value) = argument(call, 0)?;
                let operands = self.parts(&parameter, value)?;
                return Ok(operands.into_iter().map(|it| part_of(&call.result, it)).collect());
            }
            "stacksave" => return Ok(vec![Part::of_pointer(&Operand::Integer(0))]),
            "is.constant" => return Ok(vec![Part::Value(Operand::Integer(0))]),
            "is.fpclass" => {
                let (kind, value) = argument(call, 0)?;
                let operand = self.scalar(&kind, value)?;
                let classes = number(call, 1)?;
                let result = self.is_of_class(kind.scalar()?, operand, classes)?;
                return Ok(vec![Part::Value(Operand::Register(result))]);
            }
            _ => {}
        }
        if let Some(operation) = name.strip_prefix("vector.reduce.") {
            return self.reduced(operation, call);
        }
        if let Some(operation) = name.strip_suffix(".with.overflow") {
            return self.overflowing(operation, call);
        }
        self.on_each(name, call)
    }

    /// A function that works on each scalar of its arguments.
    fn on_each(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let unknown = || Problem::new(format!("the function llvm.{name} is not supported"));
        let (kind, _) = argument(call, 0)?;
        let scalars = kind.parts()?;
        let mut columns = Vec::new();
        for (parameter, value) in &call.arguments {
            columns.push(self.parts(&parameter.kind, value)?);
        }
        let mut results = Vec::new();
        for (at, scalar) in scalars.into_iter().enumerate() {
            let operands: Vec<Operand> =
                columns.iter().filter_map(|it| it.get(at).or(it.first())).cloned().collect();
            let result = match scalar {
                Scalar::Integer(bits) => self.integer_function(name, bits, operands)?,
                scalar => self.float_function(name, scalar, operands, call.flags)?,
            };
            results.push(Part::Value(Operand::Register(result.ok_or_else(unknown)?)));
        }
        Ok(results)
    }

    /// One number of all elements of a vector.
    fn reduced(&mut self, operation: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let (kind, value) = argument(call, call.arguments.len().saturating_sub(1))?;
        let operands = self.parts(&kind, value)?;
        let Type::Vector(_, scalar) = kind else { return problem("a vector is expected") };
        let mut all: Option<Operand> = None;
        if matches!(operation, "fadd" | "fmul") {
            let (_, start) = argument(call, 0)?;
            all = Some(self.scalar(&Type::Scalar(scalar), start)?);
        }
        for operand in operands {
            all = Some(match all {
                None => operand,
                Some(before) => {
                    let result = match (operation, scalar) {
                        ("fadd" | "fmul", _) => {
                            self.float(operation, call.flags, scalar, before, operand)?
                        }
                        ("smax" | "smin" | "umax" | "umin", Scalar::Integer(bits)) => {
                            let found =
                                self.integer_function(operation, bits, vec![before, operand])?;
                            found.ok_or_else(|| Problem::new("this reduction is not supported"))?
                        }
                        ("fmax" | "fmin", _) => {
                            let name = if operation == "fmax" { "maxnum" } else { "minnum" };
                            let found = self.float_function(
                                name,
                                scalar,
                                vec![before, operand],
                                call.flags,
                            )?;
                            found.ok_or_else(|| Problem::new("this reduction is not supported"))?
                        }
                        (_, Scalar::Integer(bits)) => {
                            self.integer(operation, bits, before, operand)?
                        }
                        _ => {
                            return problem(format!(
                                "the function llvm.vector.reduce.{operation} is not supported"
                            ));
                        }
                    };
                    Operand::Register(result)
                }
            });
        }
        Ok(all.into_iter().map(Part::Value).collect())
    }

    fn whole_memory(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let (to_kind, to) = argument(call, 0)?;
        let (from_kind, from) = argument(call, 1)?;
        let (count_kind, count) = argument(call, 2)?;
        let count = match Self::known(count) {
            Some(count) if count < 1 << 32 => Operand::Integer(count as i64),
            Some(_) => return problem("a copy of more bytes than memory has"),
            None => {
                let count = self.scalar(&count_kind, count)?;
                self.resized(count_kind.scalar()?, count, Scalar::Integer(64), false)
            }
        };
        let align_of =
            |at: usize| call.arguments.get(at).map_or(1, |it| it.0.attributes.align).max(1);
        let target = self.pointer(to, &to_kind)?;
        if name.starts_with("memset") {
            let byte = self.scalar(&from_kind, from)?;
            self.fill(target, byte, count, align_of(0))?;
            return Ok(Vec::new());
        }
        let source = self.pointer(from, &from_kind)?;
        let align = align_of(0).min(align_of(1));
        match count {
            Operand::Integer(bytes) if name == "memmove" && bytes as u64 / align.min(8) > 128 => {
                return problem("a `memmove` of so many bytes is not supported");
            }
            Operand::Integer(bytes) => self.copy(target, source, bytes as u64, align)?,
            _ if name == "memmove" => {
                return problem("a `memmove` of a number of bytes that varies is not supported");
            }
            count => self.copy_some(target, source, count)?,
        }
        Ok(Vec::new())
    }
}

/// An argument and its type.
pub(super) fn argument(call: &Call, at: usize) -> Result<(Type, &Value), Problem> {
    match call.arguments.get(at) {
        Some((parameter, value)) => Ok((parameter.kind.clone(), value)),
        None => problem("a call has too few arguments"),
    }
}

/// An argument that is a number.
pub(super) fn number(call: &Call, at: usize) -> Result<u64, Problem> {
    let (_, value) = argument(call, at)?;
    Lowerer::known(value).ok_or_else(|| Problem::new("this argument must be a number"))
}

fn part_of(kind: &Type, operand: Operand) -> Part {
    match kind {
        Type::Scalar(Scalar::Pointer(_)) => Part::of_pointer(&operand),
        _ => Part::Value(operand),
    }
}

/// A name without the types at its end, such as `.v2f32` and `.p0.i64`.
fn without_types(name: &str) -> &str {
    let mut name = name;
    while let Some((before, last)) = name.rsplit_once('.') {
        let digits = last.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = &last[..last.len() - digits.len()];
        let is_vector = letters == "v" && digits.starts_with(|c: char| c.is_ascii_digit());
        let is_type = is_vector
            || last == "bf16"
            || matches!(letters, "i" | "f" | "p")
                && !digits.is_empty()
                && digits.bytes().all(|it| it.is_ascii_digit());
        if !is_type {
            break;
        }
        name = before;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_at_the_end_of_a_name_are_no_part_of_it() {
        let names = [
            "memcpy.p0.p3.i64",
            "fma.v2f32",
            "nvvm.barrier0",
            "nvvm.shfl.sync.bfly.i32p",
            "ctpop.i32",
            "fabs.bf16",
        ];
        let expected =
            ["memcpy", "fma", "nvvm.barrier0", "nvvm.shfl.sync.bfly.i32p", "ctpop", "fabs"];
        assert_eq!(names.map(without_types), expected);
    }
}
