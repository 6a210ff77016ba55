//! Branches, calls, barriers, and what lanes exchange.

use super::builder::{Builder, Result};
use super::calls::Signature;
use super::names::Meaning;
use crate::class::Class;
use crate::program::*;
use crate::ptx::ast::{Instruction, Kind, Operand, Statement, Type};
use crate::registers::File;

const WORD: Type = Type { kind: Kind::Bits, bits: 32 };

impl<'a> Builder<'a> {
    /// Lowers a body, after its labels got their meaning.
    pub(super) fn body(&mut self, statements: &'a [Statement]) -> Result<()> {
        self.labels_of(statements)?;
        self.statements(statements)
    }

    fn labels_of(&mut self, statements: &[Statement]) -> Result<()> {
        for statement in statements {
            match statement {
                Statement::Label(name, line) => {
                    self.line = *line;
                    let label = self.new_label();
                    self.define(name, Meaning::Label(label))?;
                }
                Statement::Scope(inner) => self.labels_of(inner)?,
                Statement::Prototype { name, results, parameters, line } => {
                    self.line = *line;
                    self.signature(name, Signature::new(results, parameters))?;
                }
                Statement::Targets { name, functions, line } => {
                    self.line = *line;
                    let signature = self.targets(functions)?;
                    self.signature(name, signature)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn signature(&mut self, name: &str, signature: Signature) -> Result<()> {
        self.calls.signatures.push(signature);
        self.define(name, Meaning::Signature(self.calls.signatures.len() as u32 - 1))
    }

    pub(super) fn new_label(&mut self) -> u32 {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    /// Control flow and warp-level instructions; `None` if it is none.
    pub(super) fn control(&mut self, i: &'a Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        Ok(Some(match parts[0] {
            "bra" => {
                self.branch(i)?;
                Class::Branch
            }
            "ret" => {
                self.ret()?;
                Class::Branch
            }
            "exit" => {
                self.emit(Operation::Exit, 0, [0; 4])?;
                Class::Branch
            }
            "trap" | "brkpt" => {
                self.emit(Operation::Trap, 0, [0; 4])?;
                Class::Branch
            }
            "call" => self.call(i)?,
            "bar" | "barrier" if parts.get(1) == Some(&"warp") => {
                self.arity(i, 1)?;
                let members = self.source(&i.operands[0], WORD)?;
                self.exchange(ExchangeKind::Synchronise, Some(members), None, 0, [0; 4])?;
                Class::Shuffle
            }
            "bar" | "barrier" => {
                self.barrier(i, &parts)?;
                Class::Barrier
            }
            "membar" | "fence" => {
                let of_device = !parts.contains(&"cta");
                self.emit(Operation::Fence { of_device }, 0, [0; 4])?;
                Class::Fence
            }
            "nanosleep" => {
                self.emit(Operation::Nothing, 0, [0; 4])?;
                Class::Fence
            }
            "shfl" | "vote" | "activemask" | "match" | "redux" => {
                self.warp(i, &parts)?;
                Class::Shuffle
            }
            _ => return Ok(None),
        }))
    }

    /// `bar.sync a{, b}`, `bar.arrive a, b`, `bar.red.op d, a{, b}, p`.
    fn barrier(&mut self, i: &Instruction, parts: &[&str]) -> Result<()> {
        let aligned = parts[0] == "bar" || parts.contains(&"aligned");
        let parts: Vec<_> =
            parts[1..].iter().filter(|p| !matches!(**p, "cta" | "aligned")).collect();
        let mut operands = i.operands.as_slice();
        let mut barrier = Barrier {
            result: BarrierResult::None,
            negated: false,
            counted: false,
            arrive: false,
            aligned,
        };
        let (mut d, mut predicate) = (0, 0);
        match (parts.first().map(|p| **p), parts.get(1).map(|p| **p)) {
            (Some("sync"), None) => {}
            (Some("arrive"), None) => barrier.arrive = true,
            (Some("red"), Some(operation)) => {
                let predicate_type = Type { kind: Kind::Predicate, bits: 0 };
                let (result, element) = match operation {
                    "and" => (BarrierResult::And, predicate_type),
                    "or" => (BarrierResult::Or, predicate_type),
                    "popc" => (BarrierResult::Count, WORD),
                    _ => return self.unsupported(&i.opcode),
                };
                let [first, middle @ .., last] = operands else {
                    return self.error(format!("`{}` needs more operands", i.opcode));
                };
                barrier.result = result;
                d = self.destination(first, element)?;
                (predicate, barrier.negated) = self.predicate_operand(last)?;
                operands = middle;
            }
            _ => return self.unsupported(&i.opcode),
        }
        let (number, threads) = match operands {
            [number] if !barrier.arrive => (number, None),
            [number, threads] => (number, Some(threads)),
            _ => return self.error(format!("`{}` has the wrong number of operands", i.opcode)),
        };
        let a = self.source(number, WORD)?;
        let b = threads.map(|t| self.source(t, WORD)).transpose()?;
        barrier.counted = b.is_some();
        self.program.barriers.push(barrier);
        let index = self.program.barriers.len() as u32 - 1;
        self.emit(Operation::Barrier(index), d, [a, b.unwrap_or(0), predicate, 0])
    }

    fn warp(&mut self, i: &Instruction, parts: &[&str]) -> Result<()> {
        let predicate = Type { kind: Kind::Predicate, bits: 0 };
        let operands = i.operands.as_slice();
        match (parts, operands) {
            (["activemask", "b32"], [d]) => {
                let d = self.destination(d, WORD)?;
                self.exchange(ExchangeKind::ActiveMask, None, None, d, [0; 4])
            }
            (["shfl", "sync", mode, "b32"], [to, a, b, c, members]) => {
                let mode = match *mode {
                    "up" => Shuffle::Up,
                    "down" => Shuffle::Down,
                    "bfly" => Shuffle::Butterfly,
                    "idx" => Shuffle::Index,
                    _ => return self.unsupported(&i.opcode),
                };
                let [a, b, c] = [a, b, c].map(|o| self.source(o, WORD));
                let members = self.source(members, WORD)?;
                let (d, second) = self.pair(to, WORD)?;
                self.exchange(
                    ExchangeKind::Shuffle(mode),
                    Some(members),
                    second,
                    d,
                    [a?, b?, c?, 0],
                )
            }
            (["vote", "sync", mode, _], [d, a, members]) => {
                let (a, negated) = self.predicate_operand(a)?;
                let members = self.source(members, WORD)?;
                let (kind, element) = match *mode {
                    "all" => (ExchangeKind::All(negated), predicate),
                    "any" => (ExchangeKind::Any(negated), predicate),
                    "uni" => (ExchangeKind::Uniform(negated), predicate),
                    "ballot" => (ExchangeKind::Ballot(negated), WORD),
                    _ => return self.unsupported(&i.opcode),
                };
                let d = self.destination(d, element)?;
                self.exchange(kind, Some(members), None, d, [a, 0, 0, 0])
            }
            (["match", mode, "sync", width @ ("b32" | "b64")], [to, a, members]) => {
                let bits = if *width == "b64" { 64 } else { 32 };
                let a = self.source(a, Type { kind: Kind::Bits, bits })?;
                let members = self.source(members, WORD)?;
                let (d, second) = self.pair(to, WORD)?;
                let file = if bits == 64 { File::Doubles } else { File::Words };
                let kind = match *mode {
                    "any" => ExchangeKind::MatchAny(file),
                    "all" => ExchangeKind::MatchAll(file),
                    _ => return self.unsupported(&i.opcode),
                };
                self.exchange(kind, Some(members), second, d, [a, 0, 0, 0])
            }
            (["redux", "sync", operation, element], [d, a, members]) => {
                let operation = match (*operation, *element) {
                    ("add", "u32" | "s32") => Reduction::Add,
                    ("and", "b32") => Reduction::And,
                    ("or", "b32") => Reduction::Or,
                    ("xor", "b32") => Reduction::Xor,
                    ("min", "u32") => Reduction::MinUnsigned,
                    ("max", "u32") => Reduction::MaxUnsigned,
                    ("min", "s32") => Reduction::MinSigned,
                    ("max", "s32") => Reduction::MaxSigned,
                    _ => return self.unsupported(&i.opcode),
                };
                let a = self.source(a, WORD)?;
                let members = self.source(members, WORD)?;
                let d = self.destination(d, WORD)?;
                self.exchange(ExchangeKind::Reduce(operation), Some(members), None, d, [a, 0, 0, 0])
            }
            _ => self.unsupported(&i.opcode),
        }
    }

    /// `d` or `d|p`.
    fn pair(&mut self, operand: &Operand, element: Type) -> Result<(u16, Option<u16>)> {
        let Operand::Pair(first, second) = operand else {
            return Ok((self.destination(operand, element)?, None));
        };
        let d = self.destination(&Operand::Name(first.clone()), element)?;
        let predicate = Type { kind: Kind::Predicate, bits: 0 };
        let second = self.destination(&Operand::Name(second.clone()), predicate)?;
        Ok((d, Some(second)))
    }

    fn exchange(
        &mut self,
        kind: ExchangeKind,
        members: Option<u16>,
        second: Option<u16>,
        d: u16,
        operands: [u16; 4],
    ) -> Result<()> {
        self.program.exchanges.push(Exchange { kind, members, second });
        let index = self.program.exchanges.len() as u32 - 1;
        self.emit(Operation::Exchange(index), d, operands)
    }
}
