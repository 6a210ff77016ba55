//! Calls of functions, and returns.

use super::function::{Lowerer, passed};
use super::part::Part;
use super::text::Text;
use super::{assembly, names};
use crate::error::{Problem, problem};
use crate::machine::{Base, End, Form, Operand, Space};
use crate::syntax::{Call, Callee, Parameter, Value};
use crate::types::{Class, Scalar, Type};

impl Call {
    /// Whether its second argument is only read, and copied.
    pub fn is_copy(&self) -> bool {
        matches!(&self.callee, Callee::Name(name) if name.starts_with("llvm.memcpy."))
    }
}

impl Lowerer<'_> {
    pub fn call(&mut self, call: &Call) -> Result<Vec<Part>, Problem> {
        match &call.callee {
            Callee::Assembly { template, constraints, has_effects } => {
                assembly::translate(self, call, template, constraints, *has_effects)
            }
            Callee::Name(name) => match name.strip_prefix("llvm.") {
                Some(name) => self.intrinsic(name, call),
                None => {
                    let name = names::of_symbol(name);
                    self.call_function(call, Operand::Name(name))
                }
            },
            Callee::Pointer(local) => {
                let pointer =
                    self.pointer_in(&Value::Local(*local), &Type::pointer(), Space::Generic)?;
                let register = self.in_register(pointer, Class::B64);
                self.call_function(call, Operand::Register(register))
            }
        }
    }

    fn call_function(&mut self, call: &Call, callee: Operand) -> Result<Vec<Part>, Problem> {
        let mut text = Text::default();
        let (mut declared, mut passed_names) = (Vec::new(), Vec::new());
        text.add("{ ");
        for (number, (parameter, value)) in call.arguments.iter().enumerate() {
            let name = format!("param{number}");
            let declaration = declaration(parameter, &name)?;
            text.add(format!("{declaration}; "));
            declared.push(declaration.replace(&name, "_"));
            for (operand, bits, offset) in self.argument(parameter, value)? {
                text.add(format!("st.param.b{bits} [{name}+{offset}], "));
                text.operand(operand);
                text.add("; ");
            }
            passed_names.push(name);
        }
        let results = call.result.places()?;
        let returned = match call.result {
            Type::Void => String::new(),
            ref kind => {
                let declaration = passed(kind, 1, "retval0")?;
                text.add(format!("{declaration}; "));
                "(retval0), ".to_string()
            }
        };
        let list = passed_names.join(", ");
        match callee {
            Operand::Register(_) => {
                // The signature that the functions have to which the pointer may lead.
                self.prototypes += 1;
                let own = format!("$P{}_{}", self.number, self.prototypes);
                let result = match call.result {
                    Type::Void => "()".to_string(),
                    ref kind => format!("({})", passed(kind, 1, "_")?),
                };
                text.add(format!(
                    "{own}: .callprototype {result} _ ({}); call {returned}",
                    declared.join(", ")
                ));
                text.operand(callee);
                text.add(format!(", ({list}), {own}; "));
            }
            callee => {
                text.add(format!("call.uni {returned}"));
                text.operand(callee);
                text.add(format!(", ({list}); "));
            }
        }
        let is_scalar = matches!(call.result, Type::Scalar(_));
        let mut loaded = Vec::new();
        for (scalar, offset) in results {
            let bits = if is_scalar { (scalar.bytes() * 8).max(32) } else { scalar.bytes() * 8 };
            let register = self.code.register(super::access::class_in_memory(bits / 8));
            text.add(format!("ld.param.{} ", super::access::element(bits)));
            text.result(register);
            text.add(format!(", [retval0+{offset}]; "));
            loaded.push((scalar, register, bits));
        }
        text.add("}");
        self.push_text(text, true);
        let parts = loaded.into_iter().map(|(scalar, register, bits)| {
            let operand = self.loaded_scalar(register, bits as u32, scalar);
            match scalar {
                Scalar::Pointer(_) => Part::of_pointer(&operand),
                _ => Part::Value(operand),
            }
        });
        Ok(parts.collect())
    }

    pub fn push_text(&mut self, text: Text, has_effects: bool) {
        let Text { pieces, operands, results, tied } = text;
        self.push(Form::Text { pieces, tied, has_effects }, results, operands);
    }

    /// The scalars that are passed for an argument: each with its bits and its place.
    fn argument(
        &mut self,
        parameter: &Parameter,
        value: &Value,
    ) -> Result<Vec<(Operand, u64, u64)>, Problem> {
        if let Some(kind) = &parameter.attributes.by_value {
            // What is pointed to is passed, in pieces as large as its alignment allows.
            let (base, plus, space) = self.pointer(value, &parameter.kind)?;
            let size = kind.size()?;
            let step = parameter.attributes.align.max(kind.align()).min(8);
            if size / step > 512 {
                return problem("an argument of so many bytes is not supported");
            }
            let mut pieces = Vec::new();
            let mut at = 0;
            while at < size {
                let mut bytes = step;
                while at + bytes > size {
                    bytes /= 2;
                }
                let register = self.load_piece((base.clone(), plus + at as i64, space), bytes);
                pieces.push((Operand::Register(register), bytes * 8, at));
                at += bytes;
            }
            return Ok(pieces);
        }
        let is_scalar = matches!(parameter.kind, Type::Scalar(_));
        let places = parameter.kind.places()?;
        let operands = self.parts(&parameter.kind, value)?;
        let mut passed = Vec::new();
        for ((scalar, offset), operand) in places.into_iter().zip(operands) {
            let bits = if is_scalar { (scalar.bytes() * 8).max(32) } else { scalar.bytes() * 8 };
            let operand = self.widened(operand, scalar, bits);
            passed.push((operand, bits, offset));
        }
        Ok(passed)
    }

    /// A scalar in the register in which it is passed.
    fn widened(&mut self, operand: Operand, scalar: Scalar, bits: u64) -> Operand {
        let operand = self.stored_scalar(operand, scalar);
        let class = super::access::class_in_memory(bits / 8);
        match operand {
            Operand::Register(register) if self.code.classes[register as usize] != class => {
                let own = self.code.classes[register as usize].bits();
                self.resized(
                    Scalar::Integer(own),
                    Operand::Register(register),
                    Scalar::Integer(class.bits()),
                    false,
                )
            }
            operand => operand,
        }
    }

    /// Loads so many bytes, at a multiple of them.
    pub fn load_piece(&mut self, (base, plus, space): (Base, i64, Space), bytes: u64) -> u32 {
        let register = self.code.register(super::access::class_in_memory(bytes));
        let access = Self::plain(space, bytes, bytes);
        self.push(Form::Load(access), vec![register], vec![Self::memory(&base, plus)]);
        register
    }

    pub fn return_value(&mut self, kind: &Type, value: Option<&Value>) -> Result<(), Problem> {
        if let Some(value) = value {
            let is_scalar = matches!(kind, Type::Scalar(_));
            let places = kind.places()?;
            let operands = self.parts(kind, value)?;
            for ((scalar, offset), operand) in places.into_iter().zip(operands) {
                let bits =
                    if is_scalar { (scalar.bytes() * 8).max(32) } else { scalar.bytes() * 8 };
                let operand = self.widened(operand, scalar, bits);
                let mut access = Self::plain(Space::Param, bits / 8, bits / 8);
                access.is_plain = false;
                access.element = super::access::element(bits);
                let address = Operand::Memory(Base::Symbol("func_retval0".into()), offset as i64);
                self.push(Form::Store(access), Vec::new(), vec![address, operand]);
            }
        }
        self.end(End::Return);
        Ok(())
    }
}

/// How an argument is declared.
fn declaration(parameter: &Parameter, name: &str) -> Result<String, Problem> {
    match &parameter.attributes.by_value {
        Some(kind) => {
            let align = parameter.attributes.align.max(kind.align());
            Ok(format!(".param .align {align} .b8 {name}[{}]", kind.size()?.max(1)))
        }
        None => passed(&parameter.kind, 1, name),
    }
}
