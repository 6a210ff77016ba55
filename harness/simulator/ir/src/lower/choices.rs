//! Comparisons, selections, branches.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{End, Operand, Register, Space};
use crate::syntax::{Action, Label, Value};
use crate::types::{Class, Scalar, Type};

/// The most cases of a `switch` that are tried one after the other.
const MOST_IN_LINE: usize = 4;

impl Lowerer<'_> {
    pub fn compare(
        &mut self,
        predicate: &str,
        is_float: bool,
        kind: &Type,
        left: &Value,
        right: &Value,
    ) -> Result<Vec<Part>, Problem> {
        if let Type::Scalar(Scalar::Pointer(_)) = kind {
            let (_, _, one) = self.pointer(left, kind)?;
            let (_, _, other) = self.pointer(right, kind)?;
            let space = if one == other { one } else { Space::Generic };
            let both = [self.pointer_in(left, kind, space)?, self.pointer_in(right, kind, space)?];
            let [left, right] = both.map(|it| Operand::Register(self.in_register(it, Class::B64)));
            let result = self.compare_integers(predicate, 64, left, right)?;
            return Ok(vec![Part::Value(Operand::Register(result))]);
        }
        let scalars = kind.parts()?;
        let (left, right) = (self.parts(kind, left)?, self.parts(kind, right)?);
        let mut results = Vec::new();
        for ((scalar, left), right) in scalars.into_iter().zip(left).zip(right) {
            let result = match is_float {
                true => self.compare_floats(predicate, scalar, left, right)?,
                false => self.compare_integers(predicate, scalar.bits(), left, right)?,
            };
            results.push(Part::Value(Operand::Register(result)));
        }
        Ok(results)
    }

    pub fn compare_integers(
        &mut self,
        predicate: &str,
        bits: u32,
        left: Operand,
        right: Operand,
    ) -> Result<Register, Problem> {
        let class = Scalar::Integer(bits).class();
        if class == Class::Predicate {
            return match predicate {
                "ne" => self.integer("xor", 1, left, right),
                "eq" => {
                    let other = self.integer("xor", 1, left, right)?;
                    self.integer("xor", 1, Operand::Register(other), Operand::Integer(1))
                }
                _ => {
                    let is_signed = predicate.starts_with('s');
                    let [left, right] = [left, right].map(|it| {
                        self.resized(Scalar::Integer(1), it, Scalar::Integer(32), is_signed)
                    });
                    self.compare_integers(predicate, 32, left, right)
                }
            };
        }
        let (letter, name) = match predicate {
            "eq" | "ne" => ('b', predicate),
            _ => predicate
                .split_at_checked(1)
                .map_or(('?', ""), |(first, rest)| (if first == "s" { 's' } else { 'u' }, rest)),
        };
        if !matches!(name, "eq" | "ne" | "lt" | "le" | "gt" | "ge") {
            return problem(format!("the comparison `{predicate}` is not known"));
        }
        let (left, right) = match letter {
            's' => (self.sign_extended(left, bits, class), self.sign_extended(right, bits, class)),
            _ => (left, right),
        };
        let left = Operand::Register(self.in_register(left, class));
        let opcode = format!("setp.{name}.{letter}{}", class.bits());
        Ok(self.pure(opcode, Class::Predicate, vec![left, right]))
    }

    fn compare_floats(
        &mut self,
        predicate: &str,
        scalar: Scalar,
        left: Operand,
        right: Operand,
    ) -> Result<Register, Problem> {
        let name = match predicate {
            "true" => return Ok(self.in_register(Operand::Integer(1), Class::Predicate)),
            "false" => return Ok(self.in_register(Operand::Integer(0), Class::Predicate)),
            "ord" => "num",
            "uno" => "nan",
            "oeq" | "one" | "olt" | "ole" | "ogt" | "oge" => &predicate[1..],
            "ueq" => "equ",
            "une" => "neu",
            "ult" => "ltu",
            "ule" => "leu",
            "ugt" => "gtu",
            "uge" => "geu",
            _ => return problem(format!("the comparison `{predicate}` is not known")),
        };
        let opcode = format!("setp.{name}{}", self.float_type(scalar)?);
        let both = [left, right].map(|it| Operand::Register(self.in_register(it, scalar.class())));
        Ok(self.pure(opcode, Class::Predicate, both.to_vec()))
    }

    /// The contrary of a comparison, where a value is one.
    pub fn inverse(&mut self, value: &Value) -> Result<Option<Vec<Part>>, Problem> {
        let Value::Local(local) = value else { return Ok(None) };
        let Some(source) = self.sources.get(*local).copied().flatten() else { return Ok(None) };
        let Action::Compare { predicate, is_float, kind, left, right } = &source.action else {
            return Ok(None);
        };
        let contrary = match predicate.as_str() {
            "eq" => "ne",
            "ne" => "eq",
            "slt" => "sge",
            "sge" => "slt",
            "sgt" => "sle",
            "sle" => "sgt",
            "ult" if *is_float => "oge",
            "ule" if *is_float => "ogt",
            "ugt" if *is_float => "ole",
            "uge" if *is_float => "olt",
            "ult" => "uge",
            "uge" => "ult",
            "ugt" => "ule",
            "ule" => "ugt",
            "oeq" => "une",
            "une" => "oeq",
            "one" => "ueq",
            "ueq" => "one",
            "olt" => "uge",
            "ole" => "ugt",
            "ogt" => "ule",
            "oge" => "ult",
            "ord" => "uno",
            "uno" => "ord",
            _ => return Ok(None),
        };
        self.compare(contrary, *is_float, kind, left, right).map(Some)
    }

    /// One of two values; pointers that result are into `space`.
    pub fn select(
        &mut self,
        condition_kind: &Type,
        condition: &Value,
        kind: &Type,
        [yes, no]: [&Value; 2],
        space: Space,
    ) -> Result<Vec<Part>, Problem> {
        let conditions = self.parts(condition_kind, condition)?;
        let scalars = kind.parts()?;
        let (yes, no) = match kind {
            Type::Scalar(Scalar::Pointer(_)) => {
                (vec![self.pointer_in(yes, kind, space)?], vec![self.pointer_in(no, kind, space)?])
            }
            _ => (self.parts(kind, yes)?, self.parts(kind, no)?),
        };
        let mut results = Vec::new();
        for (at, ((scalar, yes), no)) in scalars.into_iter().zip(yes).zip(no).enumerate() {
            let condition = conditions.get(at).or(conditions.first()).cloned();
            let condition = condition.ok_or_else(|| Problem::new("a condition has no parts"))?;
            let result = Operand::Register(self.select_scalar(scalar, condition, yes, no)?);
            results.push(match scalar {
                Scalar::Pointer(_) => Part::of_pointer(&result),
                _ => Part::Value(result),
            });
        }
        Ok(results)
    }

    pub fn select_scalar(
        &mut self,
        scalar: Scalar,
        condition: Operand,
        yes: Operand,
        no: Operand,
    ) -> Result<Register, Problem> {
        let class = scalar.class();
        if class != Class::Predicate {
            let condition = Operand::Register(self.in_register(condition, Class::Predicate));
            // Constants of 16 bits that are numbers have no form of their own.
            return Ok(self.pure(
                format!("selp.b{}", class.bits()),
                class,
                vec![yes, no, condition],
            ));
        }
        match (&yes, &no) {
            (_, Operand::Integer(0)) => self.integer("and", 1, condition, yes),
            (Operand::Integer(1), _) => self.integer("or", 1, condition, no),
            _ => {
                let not = self.integer("xor", 1, condition.clone(), Operand::Integer(1))?;
                let yes = self.integer("and", 1, condition, yes)?;
                let no = self.integer("and", 1, Operand::Register(not), no)?;
                self.integer("or", 1, Operand::Register(yes), Operand::Register(no))
            }
        }
    }

    pub fn branch(&mut self, condition: &Value, yes: Label, no: Label) -> Result<(), Problem> {
        let end = match self.scalar(&Type::bits(1), condition)? {
            Operand::Register(predicate) => End::Branch { predicate, yes, no },
            // Both ways stay, since phis know of both.
            operand => {
                let predicate = self.in_register(operand, Class::Predicate);
                End::Branch { predicate, yes, no }
            }
        };
        self.end(end);
        Ok(())
    }

    pub fn switch(
        &mut self,
        kind: &Type,
        value: &Value,
        cases: &[(u64, Label)],
        otherwise: Label,
    ) -> Result<(), Problem> {
        let scalar = kind.scalar()?;
        let operand = self.scalar(kind, value)?;
        let operand = Operand::Register(self.in_register(operand, scalar.class()));
        let mut sorted: Vec<(u64, Label)> = cases
            .iter()
            .map(|(case, label)| (case & super::values::mask(scalar.bits()), *label))
            .collect();
        sorted.sort_by_key(|it| it.0);
        self.switch_among(scalar.bits(), &operand, &sorted, otherwise)
    }

    fn switch_among(
        &mut self,
        bits: u32,
        operand: &Operand,
        cases: &[(u64, Label)],
        otherwise: Label,
    ) -> Result<(), Problem> {
        let label = self.parts_of[self.block];
        let constant = |case: u64| super::values::bits_of(Scalar::Integer(bits), case);
        if cases.len() > MOST_IN_LINE {
            let (low, high) = cases.split_at(cases.len() / 2);
            let is_low = match bits {
                1 => return problem("a `switch` of single bits has two cases"),
                bits => self.compare_integers("ult", bits, operand.clone(), constant(high[0].0))?,
            };
            let [yes, no] = [self.new_block(label), self.new_block(label)];
            self.end(End::Branch { predicate: is_low, yes, no });
            for (block, cases) in [(yes, low), (no, high)] {
                self.block = block;
                self.switch_among(bits, operand, cases, otherwise)?;
            }
            return Ok(());
        }
        for (at, (case, to)) in cases.iter().enumerate() {
            let is_it = self.compare_integers("eq", bits, operand.clone(), constant(*case))?;
            let is_last = at + 1 == cases.len();
            let next = if is_last { otherwise } else { self.new_block(label) };
            self.end(End::Branch { predicate: is_it, yes: *to, no: next });
            if is_last {
                return Ok(());
            }
            self.block = next;
        }
        self.end(End::Jump(otherwise));
        Ok(())
    }
}
