//! What a warp does with matrices: `mma`, `ldmatrix`, `movmatrix`.

use super::builder::{Builder, Result};
use crate::alu::matrix::{Element, Product};
use crate::class::Class;
use crate::program::*;
use crate::ptx::ast::{Instruction, Kind, Operand, Type};
use crate::space::Space;

const WORD: Type = Type { kind: Kind::Bits, bits: 32 };
const FLOAT: Type = Type { kind: Kind::Float, bits: 32 };

/// What can be multiplied, for messages.
const PRODUCTS: &str = "the simulator has mma.sync.aligned.….row.col of m16n8k8 and m16n8k16 for f16 and bf16, of \
                        m16n8k4 and m16n8k8 for tf32, with f32 sums";

impl Builder<'_> {
    /// Matrix instructions; `None` if it is none.
    pub(super) fn matrix(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let mut parts = i.opcode.split('.');
        let (base, rest) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
        Ok(Some(match base {
            "mma" => {
                self.product(i, &rest)?;
                Class::Tensor
            }
            "movmatrix" => {
                if rest != ["sync", "aligned", "m8n8", "trans", "b16"] {
                    return self.lacks(format!(
                        "unsupported instruction `{}`: the only movmatrix is movmatrix.sync.aligned.m8n8.trans.b16",
                        i.opcode
                    ));
                }
                self.arity(i, 2)?;
                let a = self.source(&i.operands[1], WORD)?;
                let d = self.destination(&i.operands[0], WORD)?;
                self.emit(Operation::Matrix(Matrix::Transpose), d, [a, 0, 0, 0])?;
                Class::Shuffle
            }
            "ldmatrix" => {
                self.matrix_load(i, &rest)?;
                Class::LoadShared
            }
            _ => return Ok(None),
        }))
    }

    /// `mma.sync.aligned.shape.row.col.f32.type.type.f32 d, a, b, c`.
    fn product(&mut self, i: &Instruction, modifiers: &[&str]) -> Result<()> {
        let ["sync", "aligned", shape, rest @ ..] = modifiers else {
            return self.lacks(format!("unsupported instruction `{}`: {PRODUCTS}", i.opcode));
        };
        let types = match rest {
            ["row", "col", types @ ..] => types,
            _ => {
                return self.lacks(format!(
                    "unsupported layout or modifier of `{}`: {PRODUCTS}",
                    i.opcode
                ));
            }
        };
        let ["f32", one, other, "f32"] = types else {
            let types = types.join(".");
            return self.lacks(format!("unsupported types {types} of `mma` {shape}: {PRODUCTS}"));
        };
        let element = match (*one, *other) {
            ("f16", "f16") => Some(Element::F16),
            ("bf16", "bf16") => Some(Element::Bf16),
            ("tf32", "tf32") => Some(Element::Tf32),
            _ => None,
        };
        let (element, depth) = match (element, *shape) {
            (Some(element @ Element::Tf32), "m16n8k4") => (element, 4),
            (Some(element), "m16n8k8") => (element, 8),
            (Some(element @ (Element::F16 | Element::Bf16)), "m16n8k16") => (element, 16),
            (Some(_), _) => {
                return self
                    .lacks(format!("unsupported shape {shape} of `mma` for {one}: {PRODUCTS}"));
            }
            (None, _) => {
                return self.lacks(format!(
                    "unsupported types {one} and {other} of `mma` {shape}: {PRODUCTS}"
                ));
            }
        };
        self.arity(i, 4)?;
        // The greater depth of a type takes twice the registers of the smaller.
        let registers = if depth == 16 || element == Element::Tf32 && depth == 8 { 2 } else { 1 };
        let mut product = Product { element, depth, d: [0; 4], a: [0; 4], b: [0; 2], c: [0; 4] };
        for (index, operand) in self.fragment(i, 1, 2 * registers)?.iter().enumerate() {
            product.a[index] = self.source(operand, WORD)?;
        }
        for (index, operand) in self.fragment(i, 2, registers)?.iter().enumerate() {
            product.b[index] = self.source(operand, WORD)?;
        }
        for (index, operand) in self.fragment(i, 3, 4)?.iter().enumerate() {
            product.c[index] = self.source(operand, FLOAT)?;
        }
        for (index, operand) in self.fragment(i, 0, 4)?.iter().enumerate() {
            product.d[index] = self.destination(operand, FLOAT)?;
        }
        self.program.products.push(product);
        let index = self.program.products.len() as u32 - 1;
        self.emit(Operation::Matrix(Matrix::Multiply(index)), 0, [0; 4])
    }

    /// The registers of an operand: `{%r1, %r2}`, or one without braces.
    fn fragment<'i>(
        &self,
        i: &'i Instruction,
        operand: usize,
        wanted: usize,
    ) -> Result<&'i [Operand]> {
        let operand = &i.operands[operand];
        let all = match operand {
            Operand::Vector(all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        if all.len() == wanted {
            return Ok(all);
        }
        let found = all.len();
        self.error(format!("`{}` needs {wanted} registers here, found {found}", i.opcode))
    }

    /// `ldmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 d, [a]`.
    fn matrix_load(&mut self, i: &Instruction, modifiers: &[&str]) -> Result<()> {
        let ["sync", "aligned", "m8n8", number, rest @ .., "b16"] = modifiers else {
            return self.lacks(format!(
                "unsupported instruction `{}`: the simulator has ldmatrix.sync.aligned.m8n8 of .x1, .x2 and .x4, with \
                 or without .trans, of .b16",
                i.opcode
            ));
        };
        let count = match *number {
            "x1" => 1,
            "x2" => 2,
            "x4" => 4,
            _ => return self.error(format!("`{}` loads .x1, .x2 or .x4 matrices", i.opcode)),
        };
        let (transposed, rest) = match rest {
            ["trans", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let space = match rest {
            [] => Space::Generic,
            ["shared" | "shared::cta"] => Space::Shared,
            _ => return self.unsupported(&i.opcode),
        };
        self.arity(i, 2)?;
        let (space, address, plus, _) = self.address(&i.operands[1], space)?;
        let mut data = [0; 4];
        for (index, operand) in self.fragment(i, 0, usize::from(count))?.iter().enumerate() {
            data[index] = self.destination(operand, WORD)?;
        }
        let load = MatrixLoad { space, count, transposed, data, address, plus };
        self.program.matrix_loads.push(load);
        let index = self.program.matrix_loads.len() as u32 - 1;
        self.emit(Operation::Matrix(Matrix::Load(index)), 0, [0; 4])
    }
}
