//! Products of tiles on tensor cores: LLVM's `llvm.nvvm.wmma` functions as PTX's `wmma` instructions.

use std::iter;

use super::function::Lowerer;
use super::intrinsics::argument;
use super::part::Part;
use super::text::Text;
use crate::error::{Problem, problem};
use crate::machine::{Operand, Space};
use crate::syntax::{Call, Value};
use crate::types::{Class, Scalar, Type};

/// Two halves, as one register of a fragment holds them.
const HALVES: [Scalar; 2] = [Scalar::Half; 2];
const WORD: [Scalar; 1] = [Scalar::Integer(32)];

/// Lanes of the warp that a tile is divided among.
const LANES: usize = 32;

impl Lowerer<'_> {
    /// A call of `llvm.nvvm.wmma.NAME`, such as `m16n16k16.load.a.row.stride.f16.p0` or `m16n16k16.mma.row.col.f32.f32`.
    pub fn tile(&mut self, name: &str, call: &Call) -> Result<Vec<Part>, Problem> {
        let words: Vec<&str> = name.split('.').collect();
        match words[..] {
            [shape, "load", of @ ("a" | "b" | "c"), layout, "stride", kind, _] => {
                let [pointer, stride] = &call.arguments[..] else {
                    return problem("a tile is loaded from an address with a stride");
                };
                let (space, address) = self.tile_address(&pointer.1, &pointer.0.kind)?;
                let stride = self.scalar(&stride.0.kind, &stride.1)?;
                let mut text = Text::default();
                text.add(format!("wmma.load.{of}.sync.aligned.{layout}.{shape}{space}.{kind} "));
                let results = self.tile_results(&mut text, &call.result)?;
                for operand in [address, stride] {
                    text.add(", ");
                    text.operand(operand);
                }
                text.add(";");
                self.push_text(text, true);
                self.tile_values(results, &call.result)
            }
            [shape, "store", "d", layout, "stride", kind, _] => {
                let [pointer, values @ .., stride] = &call.arguments[..] else {
                    return problem("a tile is stored to an address with a stride");
                };
                let (space, address) = self.tile_address(&pointer.1, &pointer.0.kind)?;
                let stride = self.scalar(&stride.0.kind, &stride.1)?;
                let mut text = Text::default();
                text.add(format!("wmma.store.d.sync.aligned.{layout}.{shape}{space}.{kind} "));
                text.operand(address);
                text.add(", ");
                let values = (1..=values.len()).map(|at| self.tile_register(call, at));
                fragment(&mut text, values.collect::<Result<_, _>>()?);
                text.add(", ");
                text.operand(stride);
                text.add(";");
                self.push_text(text, true);
                Ok(Vec::new())
            }
            [shape, "mma", of_a, of_b, ref types @ ..] => {
                let Some((counts, types)) = factors(shape, types) else {
                    return problem(format!("the function llvm.nvvm.wmma.{name} is not supported"));
                };
                if counts.iter().sum::<usize>() != call.arguments.len() {
                    return problem("a product of tiles has other arguments than its shape needs");
                }
                let mut text = Text::default();
                text.add(format!("wmma.mma.sync.aligned.{of_a}.{of_b}.{shape}.{types} "));
                let results = self.tile_results(&mut text, &call.result)?;
                let mut all = 0..;
                for count in counts {
                    text.add(", ");
                    let values = all.by_ref().take(count).map(|at| self.tile_register(call, at));
                    fragment(&mut text, values.collect::<Result<_, _>>()?);
                }
                text.add(";");
                self.push_text(text, true);
                self.tile_values(results, &call.result)
            }
            _ => problem(format!("the function llvm.nvvm.wmma.{name} is not supported")),
        }
    }

    /// The address of a tile: as a modifier of the instruction and as an operand.
    fn tile_address(
        &mut self,
        value: &Value,
        kind: &Type,
    ) -> Result<(&'static str, Operand), Problem> {
        let (base, plus, space) = self.pointer(value, kind)?;
        if matches!(space, Space::Global | Space::Shared) {
            return Ok((space.modifier(), Self::memory(&base, plus)));
        }
        let pointer = self.pointer_in(value, kind, Space::Generic)?;
        let register = self.in_register(pointer, Class::B64);
        Ok(("", Operand::Memory(crate::machine::Base::Register(register), 0)))
    }

    /// An argument as one register of a fragment.
    fn tile_register(&mut self, call: &Call, at: usize) -> Result<Operand, Problem> {
        let (kind, value) = argument(call, at)?;
        let operands = self.parts(&kind, value)?;
        let scalars = kind.parts()?;
        let (operand, class) = match (scalars[..] == HALVES, &scalars[..]) {
            (true, _) => (self.regroup(&HALVES, operands, &WORD)?.pop(), Class::B32),
            (false, [scalar]) => (operands.into_iter().next().map(Part::Value), scalar.class()),
            _ => return problem("a register of a tile has one or two elements"),
        };
        match operand {
            Some(Part::Value(operand)) => Ok(Operand::Register(self.in_register(operand, class))),
            _ => problem("a register of a tile has no value"),
        }
    }

    /// Writes the registers of a result into a text.
    fn tile_results(&mut self, text: &mut Text, kind: &Type) -> Result<Vec<Operand>, Problem> {
        let scalars = kind.parts()?;
        let registers = match scalars.first() {
            Some(Scalar::Half) => vec![Class::B32; scalars.len() / 2],
            _ => scalars.iter().map(|scalar| scalar.class()).collect(),
        };
        let registers: Vec<_> = registers.into_iter().map(|it| self.code.register(it)).collect();
        for (register, before) in registers.iter().zip(iter::once("{").chain(iter::repeat(", "))) {
            text.add(before);
            text.result(*register);
        }
        text.add("}");
        Ok(registers.into_iter().map(Operand::Register).collect())
    }

    /// The scalars of a result, of its registers.
    fn tile_values(&mut self, registers: Vec<Operand>, kind: &Type) -> Result<Vec<Part>, Problem> {
        match kind.parts()?.first() {
            Some(Scalar::Half) => self.regroup(&WORD, registers, &HALVES),
            _ => Ok(registers.into_iter().map(Part::Value).collect()),
        }
    }
}

/// Writes the registers of a fragment into a text.
fn fragment(text: &mut Text, registers: Vec<Operand>) {
    for (register, before) in registers.into_iter().zip(iter::once("{").chain(iter::repeat(", "))) {
        text.add(before);
        text.operand(register);
    }
    text.add("}");
}

/// How many registers a, b and c have, and the types as PTX names them, where LLVM names those of d and c, or only that of a.
fn factors(shape: &str, types: &[&str]) -> Option<([usize; 3], String)> {
    let sizes = shape.split(|it: char| it.is_ascii_alphabetic()).skip(1);
    let sizes: Vec<usize> = sizes.map(|it| it.parse().ok()).collect::<Option<_>>()?;
    let [m, n, k] = sizes[..] else { return None };
    let of = |elements: usize, per_register: usize| elements / LANES / per_register;
    let (factor, sum) = match *types {
        // Each half is in two lanes.
        [d @ ("f16" | "f32"), c @ ("f16" | "f32")] => {
            let sums = of(m * n, if c == "f16" { 2 } else { 1 });
            return Some(([8, 8, sums], format!("{d}.{c}")));
        }
        [factor @ ("s8" | "u8" | "s4" | "u4")] => (factor, "s32"),
        [factor @ ("bf16" | "tf32")] => (factor, "f32"),
        [factor @ "f64"] => (factor, "f64"),
        _ => return None,
    };
    let per_register = match factor {
        "s4" | "u4" => 8,
        "s8" | "u8" => 4,
        "bf16" => 2,
        _ => 1,
    };
    let counts = [of(m * k, per_register), of(n * k, per_register), of(m * n, 1)];
    Some((counts, format!("{sum}.{factor}.{factor}.{sum}")))
}
