//! `wgmma`: products of four warps with an operand in shared memory (PTX ISA, "wgmma.mma_async").
//!
//! Each warp multiplies its 16 of the 64 rows. So the product is a row of 16×8 products, as `mma` has them, with fragments that
//! are loaded as the descriptors say. It is complete at once.

use super::super::builder::{Builder, Result};
use super::super::opcode::{PREDICATE, WORD};
use super::product::{byte, sum_element};
use crate::alu::Fast;
use crate::alu::matrix::{Element, Factors, Integer, Product, Sparsity};
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};

/// The supported products, for messages.
const PRODUCTS: &str = "the simulator supports wgmma.mma_async.sync.aligned of m64n8k16 to m64n256k16 for f16 (with f32 or \
                        f16 sums) and bf16, of m64n…k8 for tf32, of m64n…k32 for e4m3 and e5m2 (with f32 or f16 sums), and of \
                        m64n…k32 for s8 and u8; of wgmma.mma_async.sp.sync.aligned the same with twice the k";

const DESCRIPTOR: Type = Type { kind: Kind::Bits, bits: 64 };

/// Rows and columns of the products of which it consists.
const COLUMNS: usize = 8;
const ROWS: usize = 16;

impl Builder<'_> {
    /// `wgmma`; `None` for other instructions.
    pub(super) fn warpgroup(&mut self, i: &Instruction, rest: &[&str]) -> Result<Class> {
        match rest {
            ["fence", "sync", "aligned"] => {
                self.arity(i, 0)?;
                self.emit(Operation::Nothing, 0, [0; 4])?;
            }
            ["commit_group", "sync", "aligned"] => {
                self.arity(i, 0)?;
                self.emit(Operation::Products(Groups::Close), 0, [0; 4])?;
            }
            ["wait_group", "sync", "aligned"] => {
                self.arity(i, 1)?;
                let Operand::Integer(left) = i.operands[0] else {
                    return self.error(format!("`{}` needs a number of groups", i.opcode));
                };
                self.program.product_waits.push((self.program.code.len() as u32, left));
                self.emit(Operation::Products(Groups::Wait(left as u32)), 0, [0; 4])?;
            }
            ["mma_async", "sync", "aligned", shape, types @ ..] => {
                self.warpgroup_product(i, false, shape, types)?;
                return Ok(Class::Tensor);
            }
            ["mma_async", "sp", "sync", "aligned", shape, types @ ..] => {
                self.warpgroup_product(i, true, shape, types)?;
                return Ok(Class::Tensor);
            }
            _ => return self.unsupported(&i.opcode),
        }
        Ok(Class::Fence)
    }

    /// `d, a or its descriptor, descriptor of b{, metadata, selector}, predicate{, ±1 for a, ±1 for b{, transposed a}{,
    /// transposed b}}`.
    fn warpgroup_product(
        &mut self,
        i: &Instruction,
        is_sparse: bool,
        shape: &str,
        types: &[&str],
    ) -> Result<()> {
        // A row of a has 32 bytes, and twice as many elements if it is sparse.
        let density = if is_sparse { 2 } else { 1 };
        let depth = |factors: Factors| 256 * density / factors.bits();
        let found = factors(types).and_then(|it| Some((it, columns(shape, depth(it))?)));
        let Some((factors, columns)) = found else {
            return self.lacks(format!("unsupported types or shape of `{}`: {PRODUCTS}", i.opcode));
        };
        if self.guard != Guard::NONE {
            return self
                .lacks(format!("`{}` with a predicate before it is not supported", i.opcode));
        }
        let depth = depth(factors);
        let is_integer = matches!(factors, Factors::Integer { .. });
        let in_registers = matches!(i.operands.get(1), Some(Operand::Vector(_)));
        let turns = factors.bits() == 16;
        let flags = match (is_integer, turns) {
            (true, _) => 0,
            (false, true) => 4 - usize::from(in_registers),
            (false, false) => 2,
        };
        let predicate = if is_sparse { 5 } else { 3 };
        self.arity(i, predicate + 1 + flags)?;
        let flag = |at: usize| match i.operands.get(predicate + 1 + at).filter(|_| at < flags) {
            Some(Operand::Integer(value)) => Some(*value as i32),
            _ => None,
        };
        let signs = flags.min(2);
        if let Some(at) = (0..signs).find(|&at| !matches!(flag(at), Some(1 | -1))) {
            let of = ["a", "b"][at];
            return self.error(format!("`{}` multiplies {of} by 1 or -1 only", i.opcode));
        }
        let sign = |at: usize| flag(at) == Some(-1);
        let turned = |at: usize| flag(at) == Some(1);
        let element = sum_element(factors);
        let sums = COLUMNS / 4 * if factors.sums_halves() { 1 } else { 2 };
        let count = sums * columns / COLUMNS;
        let operands = self.fragment(i, 0, count)?;
        let (mut d, mut c) = (Vec::new(), Vec::new());
        for operand in operands {
            c.push(self.source(operand, element)?);
            d.push(self.destination(operand, element)?);
        }
        self.clear_sums(&i.operands[predicate], &d)?;
        let sparsity = match is_sparse {
            true => Some(self.sparsity(i, [3, 4], Sparsity::selectors(factors, depth))?),
            false => None,
        };
        let along = depth / (4 * factors.packed());
        let count_a = 2 * along / density;
        let of_a =
            Fragment { is_first: true, transposed: turned(2), negates: sign(0), ..of(factors) };
        let a = match in_registers {
            true => {
                let words = self.fragment(i, 1, count_a)?;
                let words: [u16; 8] = self.sources_of(words, WORD)?;
                self.negated(words, count_a, of_a)?
            }
            false => {
                let descriptor = self.source(&i.operands[1], DESCRIPTOR)?;
                self.load_fragment(Fragment { descriptor, ..of_a }, count_a)?
            }
        };
        let transposed = turned(if in_registers { 2 } else { 3 });
        let descriptor = self.source(&i.operands[2], DESCRIPTOR)?;
        let of_b = Fragment { descriptor, transposed, negates: sign(1), ..of(factors) };
        for column in 0..columns / COLUMNS {
            let b =
                self.load_fragment(Fragment { first: (column * COLUMNS) as u16, ..of_b }, along)?;
            let part = |all: &[u16]| {
                let mut own = [0; 8];
                own[..sums].copy_from_slice(&all[column * sums..][..sums]);
                own
            };
            let b = [b[0], b[1], b[2], b[3]];
            let (d, c) = (part(&d), part(&c));
            self.multiply(Product { factors, rows: ROWS, depth, d, a, b, c, sparsity })?;
        }
        Ok(())
    }

    /// Clears the sums where the predicate is false.
    fn clear_sums(&mut self, predicate: &Operand, sums: &[u16]) -> Result<()> {
        let adds = match predicate {
            Operand::Integer(value) => {
                if *value != 0 {
                    return Ok(());
                }
                Guard::NONE
            }
            operand => Guard::new(self.source(operand, PREDICATE)?, true),
        };
        let zero = self.constant(File::Words, Constant::Bits(0))?;
        self.guard = adds;
        for &d in sums {
            self.emit(Operation::Fast(Fast::Move32), d, [zero, 0, 0, 0])?;
        }
        self.guard = Guard::NONE;
        Ok(())
    }

    /// Loads an operand of a 16×8 product into registers of its own.
    fn load_fragment(&mut self, fragment: Fragment, count: usize) -> Result<[u16; 8]> {
        let mut data = [0; 8];
        for register in &mut data[..count] {
            *register = self.scratch_register(File::Words)?;
        }
        self.program.fragments.push(Fragment { data, count: count as u8, ..fragment });
        let index = self.program.fragments.len() as u32 - 1;
        self.emit(Operation::Matrix(Matrix::Fragment(index)), 0, [0; 4])?;
        Ok(data)
    }

    /// The operand in registers, with the other sign if that is asked for.
    fn negated(&mut self, words: [u16; 8], count: usize, of: Fragment) -> Result<[u16; 8]> {
        if !of.negates {
            return Ok(words);
        }
        let signs = self.constant(File::Words, Constant::Bits(of.signs().into()))?;
        let mut turned = [0; 8];
        for (turned, word) in turned.iter_mut().zip(words).take(count) {
            *turned = self.scratch(Fast::XorU32, [word, signs, 0])?;
        }
        Ok(turned)
    }
}

/// A fragment of such factors, but for what is particular.
fn of(factors: Factors) -> Fragment {
    Fragment {
        descriptor: 0,
        is_first: false,
        first: 0,
        bits: factors.bits() as u8,
        transposed: false,
        negates: false,
        data: [0; 8],
        count: 0,
    }
}

/// The columns of a shape such as `m64n128k16`, if it has this depth.
fn columns(shape: &str, depth: usize) -> Option<usize> {
    let (columns, k) = shape.strip_prefix("m64n")?.split_once('k')?;
    let columns: usize = columns.parse().ok()?;
    let exists = (8..=256).contains(&columns) && columns.is_multiple_of(8);
    (exists && k.parse() == Ok(depth)).then_some(columns)
}

/// The factors of the types of d, a and b.
fn factors(types: &[&str]) -> Option<Factors> {
    let integer = |word: &str| {
        Some(Integer {
            bits: 8,
            signed: match word {
                "s8" => true,
                "u8" => false,
                _ => return None,
            },
        })
    };
    Some(match types {
        ["f32", "f16", "f16"] => Factors::Single(Element::F16),
        ["f32", "bf16", "bf16"] => Factors::Single(Element::Bf16),
        ["f32", "tf32", "tf32"] => Factors::Single(Element::Tf32),
        ["f16", "f16", "f16"] => Factors::Half,
        [d @ ("f16" | "f32"), a, b] if byte(a).is_some() => {
            Factors::Bytes { a: byte(a)?, b: byte(b)?, halves: *d == "f16", native: true }
        }
        ["s32", a, b] => Factors::Integer { a: integer(a)?, b: integer(b)?, saturate: false },
        ["satfinite", "s32", a, b] => {
            Factors::Integer { a: integer(a)?, b: integer(b)?, saturate: true }
        }
        _ => return None,
    })
}
