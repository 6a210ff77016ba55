//! Calls: inlined if possible, executed as calls if the function is recursive or called through a pointer.

use super::builder::{Builder, Result};
use super::call_state::Signature;
use super::names::Meaning;
use super::registers::file_of;
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::Space;
use ptx::ast::{Function, Instruction, Operand};

/// Most instructions and registers of a kernel into which functions are inlined.
const LARGE: (u64, u64) = (1 << 19, 40_000);
/// Deepest nesting of inlined calls.
const DEEPEST: usize = 64;

impl<'a> Builder<'a> {
    /// `call (results), function, (arguments)`, or through a pointer with its signature at the end.
    pub(super) fn call(&mut self, i: &'a Instruction) -> Result<Class> {
        let (results, name, rest) = match i.operands.as_slice() {
            [Operand::List(results), Operand::Name(name), rest @ ..] => {
                (results.as_slice(), name, rest)
            }
            [Operand::Name(name), rest @ ..] => (&[][..], name, rest),
            _ => return self.error("`call` needs the name of a function"),
        };
        let (arguments, rest) = match rest {
            [Operand::List(arguments), rest @ ..] => (arguments.as_slice(), rest),
            rest => (&[][..], rest),
        };
        if let Some(Meaning::Register(register)) = self.names.find(name) {
            self.call_pointer(register, (results, arguments), rest)?;
            return Ok(Class::Branch);
        }
        let file = self.file;
        let Some(index) = self.graph.find(name).filter(|&f| !file.functions[f].is_kernel) else {
            return self
                .lacks(format!("unsupported call: `{name}` is not a function of this file"));
        };
        let function = &file.functions[index];
        if let Some(error) = &function.malformed {
            return Err(error.clone());
        }
        match &function.body {
            Some(_) if self.can_inline(index) => self.inline(index, (results, arguments))?,
            Some(_) if function.has_registers() => {
                return self.lacks(format!(
                    "unsupported call: `{name}` has parameters in registers and cannot be inlined"
                ));
            }
            Some(_) => {
                let callee = Callee::Function(self.called(index));
                let signature = Signature::new(&function.results, &function.parameters);
                self.emit_call(callee, &signature, (results, arguments))?;
            }
            None => self.call_declared(function, (results, arguments))?,
        }
        Ok(Class::Branch)
    }

    /// The index in the program of a called function of the file.
    pub(super) fn called(&mut self, index: usize) -> u32 {
        if let Some(&known) = self.calls.called.get(&index) {
            return known;
        }
        let known = self.program.functions.len() as u32;
        self.program.functions.push(crate::instruction::Function {
            name: self.file.functions[index].name.clone(),
            address: function_address(index),
            entry: 0,
            results: Vec::new(),
            parameters: Vec::new(),
            frame: 0,
            align: 1,
            kept: Vec::new(),
            missing: None,
        });
        self.calls.called.insert(index, known);
        self.calls.waiting.push_back(index);
        known
    }

    fn can_inline(&self, index: usize) -> bool {
        let Some(size) = self.graph.size(index) else { return false };
        let code = self.program.code.len() as u64;
        let registers: u64 = self.program.registers.iter().map(|&n| u64::from(n)).sum();
        let active = &self.calls.active;
        active.len() < DEEPEST
            && code.saturating_add(size.instructions) <= LARGE.0
            && registers.saturating_add(size.registers) <= LARGE.1
    }

    /// Inlines a device function. Parameters in memory are the variables of the caller; those in registers are copied.
    fn inline(&mut self, index: usize, given: (&[Operand], &[Operand])) -> Result<()> {
        let file = self.file;
        let function = &file.functions[index];
        let meanings = if function.has_registers() {
            self.given_registers(function, given)?
        } else {
            let signature = Signature::new(&function.results, &function.parameters);
            self.given(&function.name, &signature, given)?
        };
        let (line, start, guard) = (self.line, self.start, self.guard);
        let used = self.calls.frame.map(|frame| frame.used);
        let end = self.new_label();
        if let Some((predicate, negated)) = guard.get() {
            self.guard = Guard::new(predicate, !negated);
            self.emit(Operation::Branch(end), 0, [0; 4])?;
            self.guard = Guard::NONE;
        } else {
            // The call itself takes an issue slot, and its summary needs an index in the code.
            let next = self.new_label();
            self.emit(Operation::Branch(next), 0, [0; 4])?;
            self.labels[next as usize] = self.program.code.len() as u32;
        }
        self.calls.active.push((index, end));
        self.names.enter(true);
        let formal = function.results.iter().chain(&function.parameters);
        for (variable, &meaning) in formal.zip(&meanings) {
            self.define(&variable.name, meaning)?;
        }
        self.body(function.body.as_deref().unwrap_or_default())?;
        self.names.leave();
        self.calls.active.pop();
        self.release(used);
        self.labels[end as usize] = self.program.code.len() as u32;
        (self.line, self.start, self.guard) = (line, start, guard);
        for ((variable, operand), meaning) in function.results.iter().zip(given.0).zip(meanings) {
            if let (true, Meaning::Register(from)) = (variable.in_register, meaning) {
                let index = self.destination(operand, variable.element)?;
                self.copy_register(Register { index, ..from }, from.index)?;
            }
        }
        Ok(())
    }

    /// As [`Builder::given`], for a function with results or parameters in registers. These are new, and arguments are
    /// copied to those of parameters.
    fn given_registers(
        &mut self,
        function: &Function,
        (results, arguments): (&[Operand], &[Operand]),
    ) -> Result<Vec<Meaning>> {
        let Function { name, results: to, parameters: from, .. } = function;
        if to.len() != results.len() || from.len() != arguments.len() {
            return self.error(format!("wrong number of arguments for `{name}`"));
        }
        let count = to.len();
        let mut meanings = Vec::new();
        for (k, (variable, operand)) in
            to.iter().chain(from).zip(results.iter().chain(arguments)).enumerate()
        {
            if !variable.in_register {
                meanings.push(self.place_given(operand)?);
                continue;
            }
            let register = self.temporary(file_of(variable.element))?;
            if k >= count {
                let value = self.source(operand, variable.element)?;
                self.copy_register(register, value)?;
            }
            meanings.push(Meaning::Register(register));
        }
        Ok(meanings)
    }

    fn copy_register(&mut self, to: Register, from: u16) -> Result<()> {
        let operation = match to.file {
            File::Words => Operation::Fast(Fast::Move32),
            File::Doubles => Operation::Fast(Fast::Move64),
            File::Predicates => Operation::Predicate(Logic::Move),
        };
        self.emit(operation, to.index, [from, 0, 0, 0])
    }

    /// The variable in local memory that is passed for each result and parameter.
    fn given(
        &mut self,
        callee: &str,
        signature: &Signature,
        (results, arguments): (&[Operand], &[Operand]),
    ) -> Result<Vec<Meaning>> {
        let Signature { results: to, parameters: from } = signature;
        if to.len() != results.len() || from.len() != arguments.len() {
            return self.error(format!("wrong number of arguments for `{callee}`"));
        }
        results.iter().chain(arguments).map(|operand| self.place_given(operand)).collect()
    }

    /// The variable in local memory that is an argument.
    fn place_given(&mut self, operand: &Operand) -> Result<Meaning> {
        let Operand::Name(name) = operand else {
            return self.error("arguments of `call` must be `.param` variables");
        };
        match self.meaning(name)? {
            place @ (Meaning::Offset(Space::Local, _) | Meaning::Frame(_)) => Ok(place),
            _ => self.error(format!("argument `{name}` must be a `.param` variable")),
        }
    }

    /// Emits a call that is not inlined.
    fn emit_call(
        &mut self,
        callee: Callee,
        signature: &Signature,
        given: (&[Operand], &[Operand]),
    ) -> Result<()> {
        let name = match &callee {
            Callee::Function(index) => self.program.functions[*index as usize].name.clone(),
            Callee::Pointer(_) => "a function pointer".to_string(),
            Callee::Service(service) => format!("{service:?}"),
            Callee::Missing(_) => "a function".to_string(),
        };
        let given = self.given(&name, signature, given)?;
        let sizes = signature.results.iter().chain(&signature.parameters);
        let mut places: Vec<Place> = given
            .iter()
            .zip(sizes)
            .map(|(meaning, &bytes)| match *meaning {
                Meaning::Offset(_, offset) | Meaning::Frame(offset) => Place { offset, bytes },
                _ => Place { offset: 0, bytes: 0 },
            })
            .collect();
        let arguments = places.split_off(signature.results.len());
        let in_frame = self.calls.frame.is_some();
        let is_service = matches!(callee, Callee::Service(_) | Callee::Missing(_));
        if in_frame || !is_service {
            self.frame_register()?;
        }
        self.program.calls.push(Call { callee, results: places, arguments, in_frame });
        let index = self.program.calls.len() as u32 - 1;
        let operation = if is_service { Operation::Service(index) } else { Operation::Call(index) };
        self.emit(operation, 0, [0; 4])
    }

    /// Calls a function without a body in the file.
    fn call_declared(
        &mut self,
        function: &Function,
        given: (&[Operand], &[Operand]),
    ) -> Result<()> {
        let signature = Signature::new(&function.results, &function.parameters);
        let callee = match Service::of(&function.name) {
            Some((service, results, parameters))
                if results == signature.results && parameters == signature.parameters =>
            {
                Callee::Service(service)
            }
            _ => Callee::Missing(format!("`{}`, which has no body in this PTX", function.name)),
        };
        self.emit_call(callee, &signature, given)
    }

    fn call_pointer(
        &mut self,
        register: Register,
        given: (&[Operand], &[Operand]),
        rest: &[Operand],
    ) -> Result<()> {
        if register.file != File::Doubles {
            return self.error("a function pointer has 64 bits");
        }
        let [Operand::Name(name)] = rest else {
            return self.error("a call through a pointer needs its `.callprototype`");
        };
        let Meaning::Signature(index) = self.meaning(name)? else {
            return self.error(format!("`{name}` is not a `.callprototype`"));
        };
        self.reads(register);
        let signature = self.calls.signatures[index as usize].clone();
        if !self.calls.through_pointers.contains(&signature) {
            self.calls.through_pointers.push(signature.clone());
        }
        self.emit_call(Callee::Pointer(register), &signature, given)
    }

    /// The common signature of the functions of `.calltargets`.
    pub(super) fn targets(&mut self, functions: &[String]) -> Result<Signature> {
        let mut signature: Option<Signature> = None;
        for name in functions {
            let Some(index) = self.graph.find(name) else {
                return self.error(format!("`{name}` is not a function of this file"));
            };
            let function = &self.file.functions[index];
            let own = Signature::new(&function.results, &function.parameters);
            if signature.as_ref().is_some_and(|first| *first != own) {
                return self
                    .error(format!("`{name}` has a different signature than `{}`", functions[0]));
            }
            signature = Some(own);
        }
        match signature {
            Some(signature) => Ok(signature),
            None => self.error("`.calltargets` without a function"),
        }
    }

    /// The register that holds the address of each lane's frame.
    pub(super) fn frame_register(&mut self) -> Result<u16> {
        if let Some(index) = self.program.frame {
            return Ok(index);
        }
        let index = self.temporary(File::Doubles)?.index;
        self.program.constants.push((Register { file: File::Doubles, index }, Constant::Bits(0)));
        self.program.frame = Some(index);
        Ok(index)
    }

    /// Whether a device function is being lowered.
    pub(super) fn in_function(&self) -> bool {
        self.calls.frame.is_some() || !self.calls.active.is_empty()
    }

    /// `ret`: to the code after an inlined call, to the caller, or out of the kernel.
    pub(super) fn ret(&mut self) -> Result<()> {
        let operation = match (self.calls.active.last(), self.calls.frame) {
            (Some(&(_, end)), _) => Operation::Branch(end),
            (None, Some(_)) => Operation::Return,
            (None, None) => Operation::Exit,
        };
        self.emit(operation, 0, [0; 4])
    }

    /// `bra`: to a label.
    pub(super) fn branch(&mut self, i: &Instruction) -> Result<()> {
        self.arity(i, 1)?;
        let Operand::Name(name) = &i.operands[0] else {
            return self.error("`bra` needs a label");
        };
        let Meaning::Label(label) = self.meaning(name)? else {
            return self.error(format!("`{name}` is not a label"));
        };
        self.emit(Operation::Branch(label), 0, [0; 4])
    }
}
