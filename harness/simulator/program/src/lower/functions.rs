//! Functions that are not inlined: each has its own code, registers and stack frame.

use std::collections::HashSet;

use super::builder::{Builder, Result};
use super::call_state::{Frame, Signature};
use super::names::Meaning;
use crate::alu::Fast;
use crate::instruction::{Constant, Operation, Place};
use crate::registers::{File, Register};
use ptx::Error;
use ptx::ast::{Function, Variable};
use ptx::space::LOCAL_START;

/// Fewest bytes of a frame, so that endless recursion overflows the stack.
const SMALLEST: u64 = 8;

impl<'a> Builder<'a> {
    /// Lowers all functions that the kernel may call.
    pub(super) fn functions(&mut self) -> Result<()> {
        while let Some(index) = self.next_function() {
            let function = &self.file.functions[index];
            let (place, origins) = (self.program.code.len(), self.origins.len());
            let names = self.names.depth();
            let number = self.calls.called[&index] as usize;
            match self.function(number, function) {
                // It is an error only for a thread that calls it.
                Err(error) if error.unsupported => {
                    self.program.code.truncate(place);
                    self.program.lines.truncate(place);
                    self.origins.truncate(origins);
                    self.names.leave_to(names);
                    self.calls.active.clear();
                    let reason = format!("{} (line {} of the PTX)", error.message, error.line);
                    self.program.functions[number].missing = Some(reason);
                }
                lowered => lowered?,
            }
            self.calls.frame = None;
        }
        Ok(())
    }

    /// The next function that is called, or that a pointer may call.
    fn next_function(&mut self) -> Option<usize> {
        if self.calls.waiting.is_empty() {
            let fits = |&index: &usize| {
                let Function { results, parameters, .. } = &self.file.functions[index];
                !self.calls.called.contains_key(&index)
                    && self.calls.through_pointers.contains(&Signature::new(results, parameters))
            };
            let found: Vec<usize> = self.graph.pointed.iter().copied().filter(fits).collect();
            found.into_iter().for_each(|index| {
                self.called(index);
            });
        }
        self.calls.waiting.pop_front()
    }

    fn function(&mut self, number: usize, function: &'a Function) -> Result<()> {
        if let Some(error) = &function.malformed {
            return Err(Error { unsupported: true, ..error.clone() });
        }
        let first = self.origins.len();
        self.calls.frame = Some(Frame { align: 1, ..Frame::default() });
        self.names.enter(true);
        self.line = function.line;
        let entry = self.new_label();
        self.labels[entry as usize] = self.program.code.len() as u32;
        let results = self.formal(&function.results)?;
        let parameters = self.formal(&function.parameters)?;
        self.body(function.body.as_deref().unwrap_or_default())?;
        self.guard = crate::instruction::Guard::NONE;
        self.emit(Operation::Return, 0, [0; 4])?;
        self.names.leave();
        let frame = self.calls.frame.unwrap_or_default();
        let lowered = &mut self.program.functions[number];
        lowered.entry = entry;
        (lowered.results, lowered.parameters) = (results, parameters);
        lowered.frame = frame.most.max(SMALLEST);
        lowered.align = frame.align;
        if self.graph.find(&function.name).is_none_or(|index| self.graph.size(index).is_none()) {
            let written = self.origins[first..].iter().flat_map(|origin| &origin.destinations);
            let written: HashSet<Register> = written.copied().collect();
            lowered.kept = written.into_iter().collect();
            lowered.kept.sort_by_key(|register| (register.file as usize, register.index));
        }
        Ok(())
    }

    fn formal(&mut self, variables: &[Variable]) -> Result<Vec<Place>> {
        let mut places = Vec::new();
        for variable in variables {
            let meaning = self.place(variable)?;
            self.define(&variable.name, meaning)?;
            if let Meaning::Frame(offset) = meaning {
                places.push(Place { offset, bytes: variable.bytes });
            }
        }
        Ok(places)
    }

    /// Frees the room in the frame that a scope used.
    pub(super) fn release(&mut self, used: Option<u64>) {
        if let (Some(frame), Some(used)) = (&mut self.calls.frame, used) {
            frame.used = used;
        }
    }

    /// The register that holds a variable's address, plus an offset.
    pub(super) fn variable_address(
        &mut self,
        (name, meaning): (&str, Meaning),
        plus: i64,
        file: File,
    ) -> Result<u16> {
        let Meaning::Frame(offset) = meaning else {
            let constant = self.address_of(name, meaning, plus)?;
            return self.constant(file, constant);
        };
        let frame = self.frame_register()?;
        let plus = Constant::Bits((LOCAL_START + offset).wrapping_add_signed(plus));
        let plus = self.constant(File::Doubles, plus)?;
        let address = self.compute(Fast::AddU64, frame, plus)?;
        match file {
            File::Doubles => Ok(address),
            File::Words => self.compute(Fast::U32FromU64, address, 0),
            File::Predicates => self.error(format!("`{name}` is not a predicate")),
        }
    }
}
