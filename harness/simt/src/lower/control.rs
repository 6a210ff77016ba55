//! Branches, calls, barriers, and what lanes exchange.

use super::builder::{Builder, Result};
use super::names::Meaning;
use crate::class::Class;
use crate::program::*;
use crate::ptx::ast::{Function, Instruction, Kind, Operand, Statement, Type};
use crate::registers::File;
use crate::space::Space;

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
                _ => {}
            }
        }
        Ok(())
    }

    fn new_label(&mut self) -> u32 {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    /// Control flow and warp-level instructions; `None` if it is none.
    pub(super) fn control(&mut self, i: &'a Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        Ok(Some(match parts[0] {
            "bra" => {
                self.arity(i, 1)?;
                let Operand::Name(name) = &i.operands[0] else {
                    return self.error("`bra` needs a label");
                };
                let Meaning::Label(label) = self.meaning(name)? else {
                    return self.error(format!("`{name}` is no label"));
                };
                self.emit(Operation::Branch(label), 0, [0; 4])?;
                Class::Branch
            }
            "ret" => {
                let operation = match self.calls.active.last() {
                    Some(&(_, end)) => Operation::Branch(end),
                    None => Operation::Exit,
                };
                self.emit(operation, 0, [0; 4])?;
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
            "call" => {
                self.call(i)?;
                Class::Branch
            }
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

    /// Inlines a device function. Parameters are shared with the caller: both name the same place.
    fn call(&mut self, i: &'a Instruction) -> Result<()> {
        let list = |operand: &'a Operand| match operand {
            Operand::List(all) => all.as_slice(),
            _ => &[],
        };
        let is_name = |o: &Operand| matches!(o, Operand::Name(_));
        let (results, name, arguments) = match i.operands.as_slice() {
            [results @ Operand::List(_), Operand::Name(name), rest @ ..] => {
                (list(results), name, rest)
            }
            [Operand::Name(name), rest @ ..] => (&[][..], name, rest),
            _ => return self.error("`call` needs the name of a function"),
        };
        let arguments = arguments.first().map_or(&[][..], list);
        let file = self.file;
        let Some(function) = file.functions.iter().find(|f| !f.is_kernel && f.name == *name) else {
            return self.lacks(format!("unsupported call: `{name}` is no function of this file"));
        };
        let Some(body) = &function.body else {
            if name == "__assertfail" {
                return self.emit(Operation::Trap, 0, [0; 4]);
            }
            return self.lacks(format!("unsupported call of the external function `{name}`"));
        };
        if self.calls.active.iter().any(|(active, _)| active == name) {
            return self.lacks(format!("unsupported recursion: `{name}` calls itself"));
        }
        if !results.iter().chain(arguments).all(is_name) {
            return self.error("arguments of `call` must be `.param` variables");
        }
        if let Some(error) = &function.malformed {
            return Err(error.clone());
        }
        let places = self.places(function, results, arguments)?;
        let (line, start, guard) = (self.line, self.start, self.guard);
        let end = self.new_label();
        if let Some((predicate, negated)) = guard.get() {
            self.guard = Guard::new(predicate, !negated);
            self.emit(Operation::Branch(end), 0, [0; 4])?;
            self.guard = Guard::NONE;
        } else {
            // The call itself takes an issue slot, and its summary a place in the code.
            let next = self.new_label();
            self.emit(Operation::Branch(next), 0, [0; 4])?;
            self.labels[next as usize] = self.program.code.len() as u32;
        }
        self.calls.active.push((name.clone(), end));
        self.names.enter(true);
        for (name, place) in places {
            self.define(&name, place)?;
        }
        self.body(body)?;
        self.names.leave();
        self.calls.active.pop();
        self.labels[end as usize] = self.program.code.len() as u32;
        (self.line, self.start) = (line, start);
        Ok(())
    }

    fn places(
        &mut self,
        function: &Function,
        results: &[Operand],
        arguments: &[Operand],
    ) -> Result<Vec<(String, Meaning)>> {
        let formal: Vec<_> = function.results.iter().chain(&function.parameters).collect();
        if function.results.len() != results.len() || function.parameters.len() != arguments.len() {
            return self.error(format!("wrong number of arguments for `{}`", function.name));
        }
        let mut places = Vec::new();
        for (variable, operand) in formal.into_iter().zip(results.iter().chain(arguments)) {
            let Operand::Name(name) = operand else { continue };
            match self.meaning(name)? {
                place @ Meaning::Offset(Space::Local, _) => {
                    places.push((variable.name.clone(), place))
                }
                _ => return self.error(format!("argument `{name}` must be a `.param` variable")),
            }
        }
        Ok(places)
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
