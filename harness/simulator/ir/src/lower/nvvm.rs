//! LLVM's functions for NVIDIA's GPUs.

use super::function::Lowerer;
use super::intrinsics::argument;
use super::part::Part;
use super::text::Text;
use crate::error::{Problem, problem};
use crate::machine::{Form, Operand, Register, Space};
use crate::syntax::Call;
use crate::types::{Class, Scalar, Type};

impl Lowerer<'_> {
    /// A call of `llvm.nvvm.NAME`.
    pub fn nvvm(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
            return self.special(register, call);
        }
        if let Some(kind) = name.strip_prefix("shfl.sync.") {
            return self.shuffled(kind, call);
        }
        if let Some(kind) = name.strip_prefix("vote.").and_then(|it| it.strip_suffix(".sync")) {
            return self.vote(kind, call);
        }
        if let Some(space) = name.strip_prefix("isspacep.") {
            let (kind, pointer) = argument(call, 0)?;
            let pointer = self.pointer_in(pointer, &kind, Space::Generic)?;
            let pointer = Operand::Register(self.in_register(pointer, Class::B64));
            let result = self.pure(format!("isspacep.{space}"), Class::Predicate, vec![pointer]);
            return Ok(vec![Part::Value(Operand::Register(result))]);
        }
        let simple = match name {
            "barrier0"
            | "barrier.cta.sync.aligned.all"
            | "barrier.sync.aligned.all"
            | "barrier" => {
                let number = match call.arguments.is_empty() {
                    true => Operand::Integer(0),
                    false => self.nth(call, 0)?,
                };
                ("bar.sync".to_string(), vec![number])
            }
            "barrier.cta.sync.aligned.count" => ("bar.sync".to_string(), self.all(call)?),
            "barrier.cta.sync.all" | "barrier.sync" => {
                ("barrier.sync".to_string(), self.all(call)?)
            }
            "barrier.cta.sync.count" | "barrier.sync.cnt" => {
                ("barrier.sync".to_string(), self.all(call)?)
            }
            "barrier.cta.arrive.aligned.count" => ("bar.arrive".to_string(), self.all(call)?),
            "bar.warp.sync" => ("bar.warp.sync".to_string(), self.all(call)?),
            "membar.cta" | "membar.gl" | "membar.sys" => (name.to_string(), Vec::new()),
            "fence.sc.cluster" => ("fence.sc.cluster".to_string(), Vec::new()),
            "nanosleep" => ("nanosleep.u32".to_string(), self.all(call)?),
            "exit" => ("exit".to_string(), Vec::new()),
            _ => return self.arithmetic_of_ptx(name, call),
        };
        self.push(Form::Fixed(simple.0.into()), Vec::new(), simple.1);
        Ok(Vec::new())
    }

    fn nth(&mut self, call: &Call, at: usize) -> Result<Operand, Problem> {
        let (kind, value) = argument(call, at)?;
        self.scalar(&kind, value)
    }

    fn all(&mut self, call: &Call) -> Result<Vec<Operand>, Problem> {
        (0..call.arguments.len()).map(|at| self.nth(call, at)).collect()
    }

    /// The content of a special register.
    fn special(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let scalar = call.result.scalar()?;
        let class = scalar.class();
        let register = format!("%{}", name.replace("lanemask.", "lanemask_"));
        let is_plain =
            register[1..].bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'_'));
        if !is_plain || !matches!(class, Class::B32 | Class::B64) {
            return problem(format!("the special register {register} is not known"));
        }
        let varies = ["clock", "timer", "pm"].iter().any(|it| name.contains(it));
        let opcode = format!("mov.u{}", class.bits());
        let operands = vec![Operand::Name(register.into())];
        let result = match varies {
            true => {
                let result = self.code.register(class);
                self.push(Form::Fixed(opcode.into()), vec![result], operands);
                result
            }
            false => self.pure(opcode, class, operands),
        };
        Ok(vec![Part::Value(Operand::Register(result))])
    }

    /// Mask, value, lane, and what bounds the lane; with a `p` at its end it says whether the lane was within.
    fn shuffled(&mut self, kind: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let (mode, kind) = kind.split_once('.').unwrap_or((kind, ""));
        let [mask, value, lane, bound] =
            [self.nth(call, 0)?, self.nth(call, 1)?, self.nth(call, 2)?, self.nth(call, 3)?];
        let value = Operand::Register(self.in_register(value, Class::B32));
        let result = self.code.register(Class::B32);
        let mut parts = vec![Part::Value(Operand::Register(result))];
        let mut text = Text::default();
        text.add(format!("shfl.sync.{mode}.b32 "));
        text.result(result);
        if kind.ends_with('p') {
            let is_within = self.code.register(Class::Predicate);
            parts.push(Part::Value(Operand::Register(is_within)));
            text.add("|");
            text.result(is_within);
        } else {
            let operands = vec![value, lane, bound, mask];
            self.push(Form::Fixed(format!("shfl.sync.{mode}.b32").into()), vec![result], operands);
            return Ok(parts);
        }
        for operand in [value, lane, bound, mask] {
            text.add(", ");
            text.operand(operand);
        }
        text.add(";");
        self.push_text(text, true);
        Ok(parts)
    }

    fn vote(&mut self, kind: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let (mask, value) = (self.nth(call, 0)?, self.nth(call, 1)?);
        let value = Operand::Register(self.in_register(value, Class::Predicate));
        let (opcode, class) = match kind {
            "ballot" => ("vote.sync.ballot.b32", Class::B32),
            "all" => ("vote.sync.all.pred", Class::Predicate),
            "any" => ("vote.sync.any.pred", Class::Predicate),
            "uni" => ("vote.sync.uni.pred", Class::Predicate),
            _ => return problem(format!("the vote `{kind}` is not known")),
        };
        let result = self.code.register(class);
        self.push(Form::Fixed(opcode.into()), vec![result], vec![value, mask]);
        Ok(vec![Part::Value(Operand::Register(result))])
    }

    /// One instruction of PTX on numbers, by its name with types of LLVM's: `rsqrt.approx.ftz.f`, `add.rz.d`.
    fn arithmetic_of_ptx(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let known = [
            "add", "mul", "fma", "div", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "fmin",
            "fmax", "mulhi",
        ];
        let (base, rest) = name.split_once('.').unwrap_or((name, ""));
        let Type::Scalar(scalar) = call.result else {
            return problem(format!("the function llvm.nvvm.{name} is not supported"));
        };
        let (rounding, letter) = rest.rsplit_once('.').unwrap_or(("", rest));
        let kind = match (letter, scalar) {
            ("f", Scalar::Float) => "f32",
            ("d", Scalar::Double) => "f64",
            ("i", Scalar::Integer(32)) => "s32",
            ("ui", Scalar::Integer(32)) => "u32",
            ("ll", Scalar::Integer(64)) => "s64",
            ("ull", Scalar::Integer(64)) => "u64",
            _ => "",
        };
        if !known.contains(&base) || kind.is_empty() {
            return problem(format!("the function llvm.nvvm.{name} is not supported"));
        }
        let opcode = match base {
            "fmin" | "fmax" => &base[1..],
            "mulhi" => "mul.hi",
            base => base,
        };
        let modifiers = if rounding.is_empty() { String::new() } else { format!(".{rounding}") };
        let operands = self.all(call)?;
        let operands: Vec<Operand> = operands
            .into_iter()
            .map(|it| Operand::Register(self.in_register(it, scalar.class())))
            .collect();
        let result: Register =
            self.pure(format!("{opcode}{modifiers}.{kind}"), scalar.class(), operands);
        Ok(vec![Part::Value(Operand::Register(result))])
    }
}
