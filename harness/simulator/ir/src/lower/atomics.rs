//! Atomics and fences.

use super::access::scope;
use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{Form, Operand, Space};
use crate::syntax::{Access, Ordering, Value};
use crate::types::{Class, Scalar};

impl Lowerer<'_> {
    pub fn exchange(
        &mut self,
        name: &str,
        access: &Access,
        value: &Value,
        _is_needed: bool,
    ) -> Result<Vec<Part>, Problem> {
        let scalar = access.kind.scalar()?;
        let class = scalar.class();
        let bits = class.bits();
        let mut operand = self.scalar(&access.kind, value)?;
        let is_float = scalar.is_float();
        let operation = match name {
            "add" => format!("add.u{bits}"),
            "sub" => {
                operand =
                    Operand::Register(self.integer("sub", bits, Operand::Integer(0), operand)?);
                format!("add.u{bits}")
            }
            "and" | "or" | "xor" => format!("{name}.b{bits}"),
            "xchg" => format!("exch.b{bits}"),
            "max" | "min" => format!("{name}.s{bits}"),
            "umax" | "umin" => format!("{}.u{bits}", &name[1..]),
            "fadd" if is_float && bits >= 32 => format!("add.f{bits}"),
            "uinc_wrap" if bits == 32 => "inc.u32".to_string(),
            "udec_wrap" if bits == 32 => "dec.u32".to_string(),
            _ => return problem(format!("`atomicrmw {name}` of this type is not supported")),
        };
        let result = self.atomic(&operation, access, class, vec![operand])?;
        Ok(vec![match scalar {
            Scalar::Pointer(_) => Part::of_pointer(&result),
            _ => Part::Value(result),
        }])
    }

    pub fn compare_exchange(
        &mut self,
        access: &Access,
        expected: &Value,
        value: &Value,
    ) -> Result<Vec<Part>, Problem> {
        let scalar = access.kind.scalar()?;
        let class = scalar.class();
        let expected = self.scalar(&access.kind, expected)?;
        let expected = Operand::Register(self.in_register(expected, class));
        let value = self.scalar(&access.kind, value)?;
        let operation = format!("cas.b{}", class.bits());
        let before = self.atomic(&operation, access, class, vec![expected.clone(), value])?;
        let is_done = self.compare_integers("eq", class.bits(), before.clone(), expected)?;
        Ok(vec![Part::Value(before), Part::Value(Operand::Register(is_done))])
    }

    fn atomic(
        &mut self,
        operation: &str,
        access: &Access,
        class: Class,
        operands: Vec<Operand>,
    ) -> Result<Operand, Problem> {
        if !matches!(class, Class::B32 | Class::B64) {
            return problem("atomics of fewer than 32 bits are not supported");
        }
        let (base, plus, space) = self.pointer(&access.pointer, &access.pointer_kind)?;
        let space = match space {
            Space::Generic | Space::Global | Space::Shared => space.modifier(),
            // A thread's own, or a mistake that shows when it runs.
            _ => return problem(format!("an atomic in {space:?} memory is not supported")),
        };
        // CUDA's own atomics have no order, and the device's scope, which is what PTX means without words.
        let order = match (access.ordering, access.scope.as_str()) {
            (Ordering::Relaxed, "") => String::new(),
            (Ordering::Relaxed | Ordering::Plain, name) => format!(".relaxed{}", scope(name)?),
            (Ordering::Acquire, name) => format!(".acquire{}", scope(name)?),
            (Ordering::Release, name) => format!(".release{}", scope(name)?),
            (Ordering::AcquireRelease, name) => format!(".acq_rel{}", scope(name)?),
            (Ordering::Sequential, name) => {
                let fence = format!("fence.sc{}", scope(name)?);
                self.push(Form::Fixed(fence.into()), Vec::new(), Vec::new());
                format!(".acquire{}", scope(name)?)
            }
        };
        let result = self.code.register(class);
        let mut all = vec![Self::memory(&base, plus)];
        all.extend(operands);
        let opcode = format!("atom{order}{space}.{operation}");
        self.push(Form::Fixed(opcode.into()), vec![result], all);
        Ok(Operand::Register(result))
    }

    pub fn fence(&mut self, ordering: Ordering, name: &str) -> Result<(), Problem> {
        if name == "singlethread" {
            return Ok(());
        }
        let kind = if ordering == Ordering::Sequential { "sc" } else { "acq_rel" };
        let opcode = format!("fence.{kind}{}", scope(name)?);
        self.push(Form::Fixed(opcode.into()), Vec::new(), Vec::new());
        Ok(())
    }
}
