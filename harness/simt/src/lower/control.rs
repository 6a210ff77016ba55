//! Branches, calls, and barriers of a block.

use super::builder::{Builder, Result};
use super::names::Meaning;
use crate::class::Class;
use crate::program::*;
use crate::ptx::ast::{Function, Instruction, Kind, Operand, Statement, Type};
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

    /// Control flow and barriers; `None` if it is none.
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
            "bar" | "barrier" => {
                self.barrier(i, &parts)?;
                Class::Barrier
            }
            "membar" | "fence" => {
                let of_device = !parts.contains(&"cta");
                self.emit(Operation::Fence { of_device }, 0, [0; 4])?;
                Class::Fence
            }
            // They help a scheduler; what they ask for changes no result here.
            "nanosleep" | "pmevent" | "setmaxnreg" | "griddepcontrol" => {
                self.emit(Operation::Nothing, 0, [0; 4])?;
                Class::Fence
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
}
