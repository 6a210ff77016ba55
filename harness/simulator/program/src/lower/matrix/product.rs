//! `mma`: the supported shapes and types, and their registers.

use super::super::builder::{Builder, Result};
use super::super::elsewhere::elsewhere;
use super::super::opcode::WORD;
use crate::alu::matrix::{Byte, Element, Factors, Integer, Product, Quarters, Sparsity};
use crate::instruction::*;
use ptx::ast::{Instruction, Kind, Operand, Type};

const SINGLE: Type = Type { kind: Kind::Float, bits: 32 };
const DOUBLE: Type = Type { kind: Kind::Float, bits: 64 };

/// The supported products, for messages.
const PRODUCTS: &str = "the simulator supports mma.sync.aligned.….row.col of m16n8k8 and m16n8k16 for f16 and bf16, of \
                        m16n8k4 and m16n8k8 for tf32, of m16n8k16 and m16n8k32 for e4m3 and e5m2, with f32 sums (of f16, \
                        e4m3 and e5m2 also with f16 sums); of m8n8k4 for f16 in any layout; of m8n8k4 and \
                        m16n8k4, k8, k16 for f64; of m8n8k16, m16n8k16, m16n8k32 for s8 and u8, m8n8k32, m16n8k32, \
                        m16n8k64 for s4 and u4, m8n8k128, m16n8k128, m16n8k256 for b1, with s32 sums";

/// The same of products whose first factor is sparse.
const SPARSE_PRODUCTS: &str = "the simulator supports mma.sp.sync.aligned.….row.col and mma.sp::ordered_metadata of m16n8k16 and \
                               m16n8k32 for f16 and bf16, of m16n8k8 and m16n8k16 for tf32, of m16n8k64 for e4m3 and e5m2 with \
                               f32 sums, of m16n8k32 and m16n8k64 for s8 and u8, m16n8k64 and m16n8k128 for s4 and u4";

/// The shapes of a type, as rows and k.
fn shapes(factors: Factors) -> &'static [(usize, usize)] {
    match (factors, factors.bits()) {
        (Factors::Double, _) => &[(8, 4), (16, 4), (16, 8), (16, 16)],
        (Factors::Bytes { .. }, _) => &[(16, 16), (16, 32)],
        (_, 32) => &[(16, 4), (16, 8)],
        (_, 16) => &[(16, 8), (16, 16)],
        (_, 8) => &[(8, 16), (16, 16), (16, 32)],
        (_, 4) => &[(8, 32), (16, 32), (16, 64)],
        _ => &[(8, 128), (16, 128), (16, 256)],
    }
}

/// The same where a is sparse (PTX ISA, "mma.sp").
fn sparse_shapes(factors: Factors) -> &'static [(usize, usize)] {
    match (factors, factors.bits()) {
        (Factors::Bytes { halves: false, .. }, _) => &[(16, 64)],
        (Factors::Double | Factors::Bytes { .. } | Factors::Bits { .. }, _) => &[],
        (_, 32) => &[(16, 8), (16, 16)],
        (_, 16) => &[(16, 16), (16, 32)],
        (_, 8) => &[(16, 32), (16, 64)],
        _ => &[(16, 64), (16, 128)],
    }
}

/// Parses an integer type.
fn integer(word: &str) -> Option<Integer> {
    let of = |bits, signed| Some(Integer { bits, signed });
    match word {
        "s8" => of(8, true),
        "u8" => of(8, false),
        "s4" => of(4, true),
        "u4" => of(4, false),
        _ => None,
    }
}

/// Parses an 8-bit float type.
pub(super) fn byte(word: &str) -> Option<Byte> {
    match word {
        "e4m3" => Some(Byte::E4m3),
        "e5m2" => Some(Byte::E5m2),
        _ => None,
    }
}

/// The product for the types of d, a, b, c.
pub(super) fn factors(types: &[&str], saturate: bool, bits: Option<&str>) -> Option<Factors> {
    let factors = match *types {
        ["f32", "f16", "f16", "f32"] => Factors::Single(Element::F16),
        ["f32", "bf16", "bf16", "f32"] => Factors::Single(Element::Bf16),
        ["f32", "tf32", "tf32", "f32"] => Factors::Single(Element::Tf32),
        ["f16", "f16", "f16", "f16"] => Factors::Half,
        [d @ ("f16" | "f32"), a, b, c] if c == d && byte(a).is_some() => {
            Factors::Bytes { a: byte(a)?, b: byte(b)?, halves: d == "f16", native: false }
        }
        ["f64", "f64", "f64", "f64"] => Factors::Double,
        ["s32", "b1", "b1", "s32"] => match bits {
            Some("and") => Factors::Bits { both: true },
            Some("xor") => Factors::Bits { both: false },
            _ => return None,
        },
        ["s32", a, b, "s32"] => {
            let (a, b) = (integer(a)?, integer(b)?);
            Factors::Integer { a, b, saturate: (a.bits == b.bits).then_some(saturate)? }
        }
        _ => return None,
    };
    let is_integer = matches!(factors, Factors::Integer { .. });
    let is_bits = matches!(factors, Factors::Bits { .. });
    (is_integer || !saturate).then_some(factors).filter(|_| is_bits == bits.is_some())
}

/// The `mma.m8n8k4` of f16 for the layouts of a and b and the types of c and d.
fn quarters(layouts: [&str; 2], sums: [&str; 2]) -> Option<Quarters> {
    let [a_by_row, b_by_row] = layouts.map(|layout| match layout {
        "row" => Some(true),
        "col" => Some(false),
        _ => None,
    });
    let [c_halves, d_halves] = match sums {
        ["f16", "f16"] => [true, true],
        ["f16", "f32"] => [true, false],
        ["f32", "f32"] => [false, false],
        _ => return None,
    };
    Some(Quarters { a_by_row: a_by_row?, b_by_row: b_by_row?, c_halves, d_halves })
}

impl Builder<'_> {
    /// `mma.sync.aligned.m8n8k4.alayout.blayout.d.f16.f16.c d, a, b, c`.
    fn quarters(&mut self, i: &Instruction, of: Quarters) -> Result<()> {
        self.arity(i, 4)?;
        let sums = |halves| if halves { (4, WORD) } else { (8, SINGLE) };
        let ((count_c, type_c), (count_d, type_d)) = (sums(of.c_halves), sums(of.d_halves));
        let product = Product {
            factors: Factors::Quarters(of),
            rows: 8,
            depth: 4,
            a: self.sources_of(self.fragment(i, 1, 2)?, WORD)?,
            b: self.sources_of(self.fragment(i, 2, 2)?, WORD)?,
            c: self.sources_of(self.fragment(i, 3, count_c)?, type_c)?,
            d: self.destinations_of(self.fragment(i, 0, count_d)?, type_d)?,
            sparsity: None,
        };
        self.multiply(product)
    }

    /// `mma{.sp}.sync.aligned.shape.row.col{.satfinite}.d.a.b.c{.op.popc} d, a, b, c{, metadata, selector}`.
    pub(super) fn product(&mut self, i: &Instruction, modifiers: &[&str]) -> Result<()> {
        let (is_sparse, modifiers) = match modifiers {
            ["sp" | "sp::ordered_metadata", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let products = match elsewhere(&i.opcode) {
            Some(why) => why,
            None if is_sparse => SPARSE_PRODUCTS,
            None => PRODUCTS,
        };
        let ["sync", "aligned", shape, rest @ ..] = modifiers else {
            return self.lacks(format!("unsupported instruction `{}`: {products}", i.opcode));
        };
        if let (&"m8n8k4", [a, b, d, "f16", "f16", c]) = (shape, rest)
            && let Some(of) = quarters([a, b], [c, d])
        {
            return self.quarters(i, of);
        }
        let ["row", "col", rest @ ..] = rest else {
            return self
                .lacks(format!("unsupported layout or modifier of `{}`: {products}", i.opcode));
        };
        let (saturate, rest) = match rest {
            ["satfinite", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let (types, bits) = match rest {
            [types @ .., bits, "popc"] => (types, Some(*bits)),
            // `.rn` of f64 is the default.
            ["rn", types @ ..] | types => (types, None),
        };
        let Some(factors) = factors(types, saturate, bits) else {
            let types = types.join(".");
            return self.lacks(format!("unsupported types {types} of `mma` {shape}: {products}"));
        };
        let shapes = if is_sparse { sparse_shapes(factors) } else { shapes(factors) };
        let mut shapes = shapes.iter();
        let Some(&(rows, depth)) =
            shapes.find(|(rows, depth)| *shape == format!("m{rows}n8k{depth}"))
        else {
            let one = types[1];
            return self.lacks(format!("unsupported shape {shape} of `mma` for {one}: {products}"));
        };
        self.arity(i, if is_sparse { 6 } else { 4 })?;
        let sparsity = match is_sparse {
            true => Some(self.sparsity(i, [4, 5], Sparsity::selectors(factors, depth))?),
            false => None,
        };
        let unset = [0; 8];
        let product =
            Product { factors, rows, depth, sparsity, a: unset, b: [0; 4], c: unset, d: unset };
        let [sums, count_a, count_b] = product.counts();
        let product = Product {
            a: self.sources_of(self.fragment(i, 1, count_a)?, element(factors))?,
            b: self.sources_of(self.fragment(i, 2, count_b)?, element(factors))?,
            c: self.sources_of(self.fragment(i, 3, sums)?, sum_element(factors))?,
            d: self.destinations_of(self.fragment(i, 0, sums)?, sum_element(factors))?,
            ..product
        };
        self.multiply(product)
    }

    /// The operands of a sparse product that say where a's elements are; there are so many selectors.
    pub(super) fn sparsity(
        &mut self,
        i: &Instruction,
        [metadata, selector]: [usize; 2],
        selectors: usize,
    ) -> Result<Sparsity> {
        let metadata = self.source(&i.operands[metadata], WORD)?;
        match i.operands[selector] {
            Operand::Integer(selector) if selector < selectors as u64 => {
                Ok(Sparsity { metadata, selector: selector as u8 })
            }
            _ => self.error(format!(
                "the sparsity selector of `{}` is a number from 0 to {}",
                i.opcode,
                selectors - 1
            )),
        }
    }

    pub(super) fn multiply(&mut self, product: Product) -> Result<()> {
        self.program.products.push(product);
        let index = self.program.products.len() as u32 - 1;
        self.emit(Operation::Matrix(Matrix::Multiply(index)), 0, [0; 4])
    }

    /// The registers of a fragment that is read.
    pub(super) fn sources_of<const N: usize>(
        &mut self,
        operands: &[Operand],
        element: Type,
    ) -> Result<[u16; N]> {
        let mut registers = [0; N];
        for (register, operand) in registers.iter_mut().zip(operands) {
            *register = self.source(operand, element)?;
        }
        Ok(registers)
    }

    /// The registers of a fragment that is written.
    pub(super) fn destinations_of<const N: usize>(
        &mut self,
        operands: &[Operand],
        element: Type,
    ) -> Result<[u16; N]> {
        let mut registers = [0; N];
        for (register, operand) in registers.iter_mut().zip(operands) {
            *register = self.destination(operand, element)?;
        }
        Ok(registers)
    }

    /// The registers of an operand: `{%r1, %r2}`, or a single one without braces.
    pub(super) fn fragment<'i>(
        &self,
        i: &'i Instruction,
        operand: usize,
        wanted: usize,
    ) -> Result<&'i [Operand]> {
        let all = match &i.operands[operand] {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() == wanted {
            return Ok(all);
        }
        let found = all.len();
        self.error(format!("`{}` needs {wanted} registers here, found {found}", i.opcode))
    }
}

/// The type of the registers of a and b.
pub(super) fn element(factors: Factors) -> Type {
    if factors == Factors::Double { DOUBLE } else { WORD }
}

/// The type of the registers of c and d.
pub(super) fn sum_element(factors: Factors) -> Type {
    match factors {
        Factors::Single(_) | Factors::Bytes { halves: false, .. } => SINGLE,
        Factors::Double => DOUBLE,
        _ => WORD,
    }
}
