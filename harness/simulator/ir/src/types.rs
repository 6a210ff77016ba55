//! Types of LLVM IR, their layout in memory, and the scalars that a value of a type is made of.

use std::rc::Rc;

use crate::error::{Problem, problem};

/// The most scalars of one value that is no variable in memory.
const MOST_PARTS: usize = 256;

/// The most types in a structure, in all depths.
const MOST_TYPES: u32 = 4096;

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Void,
    Scalar(Scalar),
    Vector(u32, Scalar),
    Array(u64, Rc<Type>),
    Struct(Rc<Struct>),
    /// The type of a label, of metadata or of a function, which are no values.
    Other,
}

/// The fields of a structure.
#[derive(Debug, PartialEq)]
pub(crate) struct Struct {
    pub fields: Vec<Type>,
    pub is_packed: bool,
    /// Types in it, in all depths.
    weight: u32,
}

impl Struct {
    /// # Errors
    /// There are too many types in it.
    pub fn new(fields: Vec<Type>, is_packed: bool) -> Result<Struct, Problem> {
        let weight = fields.iter().map(Type::weight).sum::<u32>() + 1;
        match weight > MOST_TYPES {
            true => {
                problem(format!("a structure of more than {MOST_TYPES} types is not supported"))
            }
            false => Ok(Struct { fields, is_packed, weight }),
        }
    }
}

/// A type that has no parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    /// So many bits, from 1 to 64.
    Integer(u32),
    Half,
    BFloat,
    Float,
    Double,
    /// Into the address space of this number.
    Pointer(u32),
}

/// The PTX registers of one width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Predicate,
    B16,
    B32,
    B64,
}

impl Scalar {
    /// Bits of the value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Integer(bits) => bits,
            Scalar::Half | Scalar::BFloat => 16,
            Scalar::Float => 32,
            Scalar::Double | Scalar::Pointer(_) => 64,
        }
    }

    /// Bytes in memory, which the alignment is too.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8).next_power_of_two())
    }

    pub fn class(self) -> Class {
        match self.bits() {
            1 => Class::Predicate,
            2..=16 => Class::B16,
            17..=32 => Class::B32,
            _ => Class::B64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Half | Scalar::BFloat | Scalar::Float | Scalar::Double)
    }
}

impl Class {
    /// Bits of a register.
    pub fn bits(self) -> u32 {
        match self {
            Class::Predicate => 1,
            Class::B16 => 16,
            Class::B32 => 32,
            Class::B64 => 64,
        }
    }
}

impl Type {
    pub fn pointer() -> Type {
        Type::Scalar(Scalar::Pointer(0))
    }

    pub fn bits(bits: u32) -> Type {
        Type::Scalar(Scalar::Integer(bits))
    }

    fn weight(&self) -> u32 {
        match self {
            Type::Array(_, element) => element.weight() + 1,
            Type::Struct(it) => it.weight,
            _ => 1,
        }
    }

    /// The scalars of a value, in the order of their places in memory.
    pub fn parts(&self) -> Result<Vec<Scalar>, Problem> {
        let mut parts = Vec::new();
        self.add_parts(&mut parts)?;
        Ok(parts)
    }

    fn add_parts(&self, parts: &mut Vec<Scalar>) -> Result<(), Problem> {
        match self {
            Type::Scalar(scalar) => parts.push(*scalar),
            Type::Vector(count, scalar) => {
                for _ in 0..(*count).min(MOST_PARTS as u32 + 1) {
                    parts.push(*scalar);
                }
            }
            Type::Array(count, element) => {
                for _ in 0..(*count).min(MOST_PARTS as u64 + 1) {
                    element.add_parts(parts)?;
                }
            }
            Type::Struct(it) => {
                for field in &it.fields {
                    field.add_parts(parts)?;
                }
            }
            Type::Void | Type::Other => {}
        }
        match parts.len() > MOST_PARTS {
            true => problem(format!("a value of more than {MOST_PARTS} parts is not supported")),
            false => Ok(()),
        }
    }

    /// The scalar that a value is.
    pub fn scalar(&self) -> Result<Scalar, Problem> {
        match self {
            Type::Scalar(scalar) | Type::Vector(1, scalar) => Ok(*scalar),
            _ => problem("a number or a pointer is expected here, not a vector or an aggregate"),
        }
    }

    /// Bytes that an address is a multiple of.
    pub fn align(&self) -> u64 {
        match self {
            Type::Scalar(scalar) => scalar.bytes(),
            Type::Vector(count, scalar) => {
                (scalar.bytes() * u64::from(*count)).max(1).next_power_of_two()
            }
            Type::Array(_, element) => element.align(),
            Type::Struct(it) if it.is_packed => 1,
            Type::Struct(it) => it.fields.iter().map(Type::align).max().unwrap_or(1),
            Type::Void | Type::Other => 1,
        }
    }

    /// Bytes from one element of an array to the next.
    pub fn size(&self) -> Result<u64, Problem> {
        let too_large = || Problem::new("a type is larger than any memory");
        Ok(match self {
            Type::Scalar(scalar) => scalar.bytes(),
            Type::Vector(count, scalar) => {
                (scalar.bytes() * u64::from(*count)).next_multiple_of(self.align())
            }
            Type::Array(count, element) => count
                .checked_mul(element.size()?)
                .filter(|it| *it < 1 << 40)
                .ok_or_else(too_large)?,
            Type::Struct(it) => {
                let end = self.fields_end(it.fields.len())?;
                end.next_multiple_of(self.align())
            }
            Type::Void | Type::Other => 0,
        })
    }

    /// A part by its number: its type, and how many bytes and scalars are before it.
    pub fn part(&self, index: u64) -> Result<(Type, u64, usize), Problem> {
        let outside = || Problem::new(format!("there is no part {index}"));
        match self {
            Type::Vector(count, scalar) if index < u64::from(*count) => {
                Ok((Type::Scalar(*scalar), index * scalar.bytes(), index as usize))
            }
            Type::Array(count, element) if index < *count => {
                let parts = element.parts()?.len();
                Ok(((**element).clone(), index * element.size()?, index as usize * parts))
            }
            Type::Struct(it) => {
                let field = it.fields.get(index as usize).ok_or_else(outside)?;
                let before = &it.fields[..index as usize];
                let align = if it.is_packed { 1 } else { field.align() };
                let offset = self.fields_end(before.len())?.next_multiple_of(align);
                let mut parts = 0;
                for field in before {
                    parts += field.parts()?.len();
                }
                Ok((field.clone(), offset, parts))
            }
            _ => Err(outside()),
        }
    }

    /// The bytes of the first `count` fields.
    fn fields_end(&self, count: usize) -> Result<u64, Problem> {
        let Type::Struct(it) = self else { return Ok(0) };
        let mut end = 0_u64;
        for field in &it.fields[..count] {
            let align = if it.is_packed { 1 } else { field.align() };
            end = end.next_multiple_of(align) + field.size()?;
            if end >= 1 << 40 {
                return problem("a type is larger than any memory");
            }
        }
        Ok(end)
    }

    /// Every scalar with its offset in bytes.
    pub fn places(&self) -> Result<Vec<(Scalar, u64)>, Problem> {
        let mut places = Vec::new();
        self.add_places(0, &mut places)?;
        Ok(places)
    }

    fn add_places(&self, at: u64, places: &mut Vec<(Scalar, u64)>) -> Result<(), Problem> {
        self.parts()?; // refuses what has too many
        let count = match self {
            Type::Scalar(scalar) => {
                places.push((*scalar, at));
                0
            }
            Type::Vector(count, _) => u64::from(*count),
            Type::Array(count, _) => *count,
            Type::Struct(it) => it.fields.len() as u64,
            Type::Void | Type::Other => 0,
        };
        for index in 0..count {
            let (part, offset, _) = self.part(index)?;
            part.add_places(at + offset, places)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_aligned_and_a_size_is_a_multiple_of_the_alignment() {
        let fields = vec![Type::bits(8), Type::Scalar(Scalar::Double), Type::bits(16)];
        let plain = Type::Struct(Rc::new(Struct::new(fields.clone(), false).unwrap()));
        let packed = Type::Struct(Rc::new(Struct::new(fields, true).unwrap()));
        assert_eq!((plain.size().unwrap(), plain.align()), (24, 8));
        assert_eq!((packed.size().unwrap(), packed.align()), (11, 1));
        assert_eq!(plain.part(2).unwrap(), (Type::bits(16), 16, 2));
        let places: Vec<u64> = packed.places().unwrap().into_iter().map(|it| it.1).collect();
        assert_eq!(places, [0, 1, 9]);
        assert_eq!(Type::Vector(3, Scalar::Float).size().unwrap(), 16);
    }

    #[test]
    fn a_value_of_very_many_parts_is_refused() {
        let huge = Type::Array(u64::MAX, Rc::new(Type::bits(8)));
        assert!(huge.parts().is_err() && huge.size().is_err());
    }
}
