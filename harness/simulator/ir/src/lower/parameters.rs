//! The parameters of a function: loaded at its beginning, or read where they are.

use super::function::{Lowerer, parameter_name};
use super::names;
use super::part::Part;
use crate::error::Problem;
use crate::machine::{Access, Base, Form, Operand, Space};
use crate::syntax::{Action, Local, Value};
use crate::types::{Class, Scalar, Type};

impl Lowerer<'_> {
    pub fn parameters(&mut self) -> Result<(), Problem> {
        let function = self.function;
        for (number, (parameter, local)) in
            function.parameters.iter().zip(&function.arguments).enumerate()
        {
            let base = Base::Symbol(parameter_name(&function.name, number));
            if let Some(kind) = &parameter.attributes.by_value {
                let kind = kind.clone();
                self.by_value(*local, base, &kind, parameter.attributes.align)?;
                continue;
            }
            let mut parts = Vec::new();
            for (scalar, offset) in parameter.kind.places()? {
                let is_own_size = function.is_kernel || !matches!(parameter.kind, Type::Scalar(_));
                let operand =
                    self.load_parameter(scalar, base.clone(), offset as i64, is_own_size)?;
                parts.push(operand);
            }
            if let (true, [Part::Address(from, 0)]) = (function.is_kernel, parts.as_slice()) {
                let operands = match from {
                    Base::Register(register) => vec![Operand::Register(*register)],
                    _ => continue,
                };
                let global = self.pure("cvta.to.global.u64", Class::B64, operands);
                parts = vec![Part::Address(Base::Register(global), 0)];
            }
            self.values[*local] = Some(parts.into());
        }
        Ok(())
    }

    /// A parameter that is a copy of a value: it is read where it is, or copied to the stack where it is written or its address
    /// is used.
    fn by_value(
        &mut self,
        local: Local,
        base: Base,
        kind: &Type,
        align: u64,
    ) -> Result<(), Problem> {
        if self.is_only_read(local, 0) {
            self.values[local] = Some([Part::Address(base, 0)].into());
            return Ok(());
        }
        let align = align.max(kind.align());
        let stack = Base::Symbol(self.allocate(kind.size()?, align));
        let from = (base, 0, Space::Param);
        self.copy((stack.clone(), 0, Space::Local), from, kind.size()?, align.min(8))?;
        self.origins = {
            // All that was made of it leads to the stack.
            let mut origins = std::mem::take(&mut self.origins);
            self.follow(local, &mut |it| origins[it].space = Space::Local);
            origins
        };
        self.values[local] = Some([Part::Address(stack, 0)].into());
        Ok(())
    }

    /// Whether only loads use an address, or what is made of it.
    fn is_only_read(&self, local: Local, depth: u32) -> bool {
        let is_it = |value: &Value| matches!(value, Value::Local(it) if *it == local);
        let function = self.function;
        depth < 16
            && function.blocks.iter().flat_map(|block| &block.instructions).all(|instruction| {
                let is_used = names::values(&instruction.action).into_iter().any(is_it);
                !is_used
                    || match (&instruction.action, instruction.result) {
                        (Action::Load(access), _) => !access.is_volatile,
                        (Action::Element { indices, .. }, Some(result)) => {
                            let is_known =
                                indices.iter().all(|(_, it)| matches!(it, Value::Constant(_)));
                            (is_known || function.is_kernel) && self.is_only_read(result, depth + 1)
                        }
                        (Action::Call(call), _) => {
                            // Passed by value again, or the source of a copy.
                            let mut places =
                                call.arguments.iter().enumerate().filter(|(_, it)| is_it(&it.1));
                            places.all(|(at, (parameter, _))| {
                                parameter.attributes.by_value.is_some() || at == 1 && call.is_copy()
                            })
                        }
                        _ => false,
                    }
            })
    }

    /// Calls `found` with a pointer and all that is made of it.
    fn follow(&self, local: Local, found: &mut impl FnMut(Local)) {
        let mut open = vec![local];
        let mut known = vec![false; self.function.locals];
        while let Some(local) = open.pop() {
            if std::mem::replace(&mut known[local], true) {
                continue;
            }
            if self.origins.get(local).is_none_or(|it| it.space == Space::Param) {
                found(local);
            }
            for instruction in self.function.blocks.iter().flat_map(|block| &block.instructions) {
                let is_used = names::values(&instruction.action)
                    .into_iter()
                    .any(|value| matches!(value, Value::Local(it) if *it == local));
                let is_pointer = matches!(
                    instruction.action,
                    Action::Element { .. }
                        | Action::Phi { .. }
                        | Action::Select { .. }
                        | Action::Freeze { .. }
                );
                if let (true, true, Some(result)) = (is_used, is_pointer, instruction.result) {
                    open.push(result);
                }
            }
        }
    }

    fn load_parameter(
        &mut self,
        scalar: Scalar,
        base: Base,
        offset: i64,
        is_own_size: bool,
    ) -> Result<Part, Problem> {
        // Functions pass small integers in 32 bits.
        let bits = if is_own_size { scalar.bytes() * 8 } else { (scalar.bytes() * 8).max(32) };
        let access = Access {
            space: Space::Param,
            modifiers: ".param".to_string(),
            element: super::access::element(bits),
            bytes: bits / 8,
            align: bits / 8,
            is_plain: true,
        };
        let class = if bits <= 16 { Class::B16 } else { Scalar::Integer(bits as u32).class() };
        let loaded = self.code.register(class);
        self.push(Form::Load(access), vec![loaded], vec![Operand::Memory(base, offset)]);
        let operand = self.loaded_scalar(loaded, bits as u32, scalar);
        Ok(match scalar {
            Scalar::Pointer(_) => Part::of_pointer(&operand),
            _ => Part::Value(operand),
        })
    }
}
