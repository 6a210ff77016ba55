//! Parts of values that have several.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::Operand;
use crate::syntax::Value;
use crate::types::{Scalar, Type};

impl Lowerer<'_> {
    pub fn extract_value(
        &mut self,
        kind: &Type,
        value: &Value,
        path: &[u64],
    ) -> Result<Vec<Part>, Problem> {
        let (part, start) = along(kind, path)?;
        let scalars = part.parts()?;
        let operands = self.parts(kind, value)?;
        let own = operands.into_iter().skip(start).take(scalars.len());
        Ok(scalars.iter().zip(own).map(|(scalar, operand)| part_of(*scalar, operand)).collect())
    }

    pub fn insert_value(
        &mut self,
        kind: &Type,
        value: &Value,
        part_kind: &Type,
        part: &Value,
        path: &[u64],
    ) -> Result<Vec<Part>, Problem> {
        let (_, start) = along(kind, path)?;
        let mut operands = self.parts(kind, value)?;
        for (at, new) in self.parts(part_kind, part)?.into_iter().enumerate() {
            match operands.get_mut(start + at) {
                Some(old) => *old = new,
                None => return problem("a part that the value does not have"),
            }
        }
        Ok(operands.into_iter().map(Part::Value).collect())
    }

    pub fn extract_element(
        &mut self,
        kind: &Type,
        value: &Value,
        index: &Value,
    ) -> Result<Vec<Part>, Problem> {
        let (scalar, operands) = self.vector(kind, value)?;
        let Some(index) = Self::known(index) else {
            return problem("an element of a vector by an index that varies is not supported");
        };
        let operand = operands.into_iter().nth(index as usize);
        Ok(vec![part_of(scalar, operand.unwrap_or(Operand::Integer(0)))])
    }

    pub fn insert_element(
        &mut self,
        kind: &Type,
        value: &Value,
        element: &Value,
        index: &Value,
    ) -> Result<Vec<Part>, Problem> {
        let (scalar, mut operands) = self.vector(kind, value)?;
        let Some(index) = Self::known(index) else {
            return problem("an element of a vector by an index that varies is not supported");
        };
        let element = self.scalar(&Type::Scalar(scalar), element)?;
        if let Some(old) = operands.get_mut(index as usize) {
            *old = element;
        }
        Ok(operands.into_iter().map(Part::Value).collect())
    }

    pub fn shuffle(
        &mut self,
        kind: &Type,
        left: &Value,
        right: &Value,
        mask: &[Option<u64>],
    ) -> Result<Vec<Part>, Problem> {
        let (scalar, mut both) = self.vector(kind, left)?;
        both.extend(self.parts(kind, right)?);
        let undefined = super::values::bits_of(scalar, 0);
        let picked = mask.iter().map(|index| {
            let operand = index.and_then(|index| both.get(index as usize));
            Part::Value(operand.unwrap_or(&undefined).clone())
        });
        Ok(picked.collect())
    }

    /// The elements of a vector.
    fn vector(&mut self, kind: &Type, value: &Value) -> Result<(Scalar, Vec<Operand>), Problem> {
        match kind {
            Type::Vector(_, scalar) => Ok((*scalar, self.parts(kind, value)?)),
            _ => problem("a vector is expected"),
        }
    }
}

/// What a path leads to: its type, and how many scalars are before it.
fn along(kind: &Type, path: &[u64]) -> Result<(Type, usize), Problem> {
    let (mut kind, mut start) = (kind.clone(), 0);
    for index in path {
        let (part, _, before) = kind.part(*index)?;
        (kind, start) = (part, start + before);
    }
    Ok((kind, start))
}

/// A scalar of which it is known whether it is a pointer.
fn part_of(scalar: Scalar, operand: Operand) -> Part {
    match scalar {
        Scalar::Pointer(_) => Part::of_pointer(&operand),
        _ => Part::Value(operand),
    }
}
