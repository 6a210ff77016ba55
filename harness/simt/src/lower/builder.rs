//! Builds one kernel's program: registers, constants, operands, instructions.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::addresses;
use super::calls::Calls;
use super::graph::Graph;
use super::names::{Meaning, Names};
use crate::alu::Fast;
use crate::class::Class;
use crate::kernel::{Block, Kernel, Parameter, Summary};
use crate::program::*;
use crate::ptx::ast::{self, Function, Operand, Statement, Type, Variable};
use crate::ptx::error::Error;
use crate::registers::{File, Operands, Register};
use crate::space::Space;

/// Most registers of a kernel, over all files.
const MOST_REGISTERS: u32 = 60_000;
/// Bytes of local memory of a thread, on every GPU so far.
const MOST_LOCAL: u64 = 512 << 10;
/// Bytes of a kernel's parameters (compute capability 7.0 and later).
const MOST_PARAMETERS: u64 = 32_764;

/// What is known of the instruction being lowered.
#[derive(Default)]
pub(super) struct Current {
    pub destinations: Vec<Register>,
    pub sources: Vec<Register>,
}

/// A PTX instruction's first place in the code, for [`Summary`].
pub(super) struct Origin {
    place: u32,
    opcode: String,
    class: Class,
    pub(super) destinations: Vec<Register>,
    sources: Vec<Register>,
}

pub(crate) struct Builder<'a> {
    pub(super) file: &'a ast::File,
    pub(super) graph: &'a Graph<'a>,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) calls: Calls,
    /// For each label its place in the code.
    pub(super) labels: Vec<u32>,
    pub(super) guard: Guard,
    pub(super) line: u32,
    /// Where in the text the instruction begins that is being lowered.
    pub(super) start: Option<usize>,
    location: ast::Location,
    constants: HashMap<(File, Constant), u16>,
    /// The condition code register, for each width of carry.
    carry_flags: [Option<u16>; 3],
    /// Registers for values that no other instruction needs, by [`File`], and how many of them this one has taken.
    scratch: [(Vec<u16>, usize); 3],
    shared_bytes: u64,
    pub(super) current: Current,
    pub(super) origins: Vec<Origin>,
}

pub(super) type Result<T> = std::result::Result<T, Error>;

/// The register file of a type.
pub(super) fn file_of(element: Type) -> File {
    match element.bits {
        0 => File::Predicates,
        64 => File::Doubles,
        _ => File::Words,
    }
}

impl<'a> Builder<'a> {
    pub(crate) fn new(file: &'a ast::File, graph: &'a Graph<'a>) -> Builder<'a> {
        Builder {
            file,
            graph,
            program: Program::default(),
            names: Names::default(),
            calls: Calls::default(),
            labels: Vec::new(),
            guard: Guard::NONE,
            line: 0,
            start: None,
            location: ast::Location::default(),
            constants: HashMap::new(),
            carry_flags: [None; 3],
            scratch: Default::default(),
            shared_bytes: 0,
            current: Current::default(),
            origins: Vec::new(),
        }
    }

    /// Lowers a kernel.
    pub(crate) fn kernel(mut self, kernel: &'a Function) -> Result<Kernel> {
        if let Some(error) = &kernel.malformed {
            return Err(error.clone());
        }
        self.names.enter(true);
        self.line = kernel.line;
        let mut parameters = Vec::new();
        let mut offset = 0;
        for p in &kernel.parameters {
            offset = u64::next_multiple_of(offset, u64::from(p.align));
            self.define(&p.name, Meaning::Offset(Space::Param, offset))?;
            parameters.push(Parameter {
                name: p.name.clone(),
                bytes: p.bytes as u32,
                align: p.align,
            });
            offset += p.bytes;
            if offset > MOST_PARAMETERS {
                let name = &kernel.name;
                return self.error(format!(
                    "the parameters of `{name}` take {offset} bytes; a kernel has at most {MOST_PARAMETERS}"
                ));
            }
        }
        self.program.parameter_bytes = offset as u32;
        self.names.enter(false);
        self.body(kernel.body.as_deref().unwrap_or_default())?;
        self.guard = Guard::NONE;
        // The end of the body ends the thread.
        self.emit(Operation::Exit, 0, [0; 4])?;
        self.functions()?;
        Ok(self.finish(kernel, parameters))
    }

    fn finish(mut self, function: &Function, parameters: Vec<Parameter>) -> Kernel {
        let program = &mut self.program;
        program.blocks = crate::cfg::blocks(&mut program.code, &self.labels);
        for function in program.functions.iter_mut().filter(|f| f.missing.is_none()) {
            let place = self.labels[function.entry as usize];
            function.entry = program.blocks.partition_point(|b| b.first < place) as u32;
        }
        program.like = addresses::like(program);
        let [words, doubles, _] = program.registers;
        // Ids: first the 32-bit registers, then the 64-bit ones, then the predicates.
        let id = |r: &Register| match r.file {
            File::Words => r.index,
            File::Doubles => words + r.index,
            File::Predicates => words + doubles + r.index,
        };
        let mut blocks = vec![Block::default(); program.blocks.len()];
        for origin in &self.origins {
            let block = program.blocks.partition_point(|b| b.end <= origin.place);
            let (line, location) = program.lines[origin.place as usize];
            blocks[block].instructions.push(Summary {
                is_branch: origin.opcode.starts_with("bra") || origin.opcode.starts_with("brx"),
                opcode: origin.opcode.clone(),
                class: origin.class,
                block,
                destinations: origin.destinations.iter().map(id).collect(),
                sources: origin.sources.iter().map(id).collect(),
                line,
                cuda_line: location.line,
                cuda_file: location.file,
            });
        }
        let instruction_at = (0..program.code.len() as u32)
            .map(|place| {
                self.origins.partition_point(|o| o.place <= place).saturating_sub(1) as u32
            })
            .collect();
        Kernel {
            name: function.name.clone(),
            parameters,
            most_threads: function.most_threads,
            required_block: function.required_block,
            shared_bytes: self.shared_bytes as u32,
            blocks,
            program: self.program,
            instruction_at,
            // Those of the module, which knows them.
            file: String::new(),
            source_files: Arc::default(),
            loops: OnceLock::new(),
            communication: OnceLock::new(),
        }
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error { start: self.start, ..Error::new(self.line, message) })
    }

    pub(super) fn unsupported<T>(&self, opcode: &str) -> Result<T> {
        self.lacks(format!("unsupported instruction `{opcode}`"))
    }

    /// Something that is PTX, and not supported.
    pub(super) fn lacks<T>(&self, message: impl Into<String>) -> Result<T> {
        let start = self.start;
        Err(Error { unsupported: true, start, ..Error::new(self.line, message) })
    }

    pub(super) fn define(&mut self, name: &str, meaning: Meaning) -> Result<()> {
        if self.names.define(name.to_string(), meaning) {
            return Ok(());
        }
        self.error(format!("`{name}` is declared twice"))
    }

    pub(super) fn statements(&mut self, statements: &'a [Statement]) -> Result<()> {
        for statement in statements {
            self.start = None;
            match statement {
                Statement::Label(name, line) => {
                    self.line = *line;
                    let Some(Meaning::Label(label)) = self.names.find(name) else {
                        return self.error(format!("unknown label `{name}`"));
                    };
                    self.labels[label as usize] = self.program.code.len() as u32;
                }
                Statement::Registers { name, count, element, line } => {
                    self.line = *line;
                    self.registers(name, *count, *element)?;
                }
                Statement::Variable(variable) => {
                    self.line = variable.line;
                    let meaning = self.place(variable)?;
                    self.define(&variable.name, meaning)?;
                }
                Statement::Scope(inner) => {
                    let used = self.calls.frame.map(|frame| frame.used);
                    self.names.enter(false);
                    self.statements(inner)?;
                    self.names.leave();
                    self.release(used);
                }
                // They have their meaning already, as labels have.
                Statement::Prototype { .. } | Statement::Targets { .. } => {}
                Statement::Instruction(i) => self.instruction(i)?,
            }
        }
        Ok(())
    }

    fn registers(&mut self, name: &str, count: Option<u32>, element: Type) -> Result<()> {
        let file = file_of(element);
        let Some(count) = count else {
            let register = self.temporary(file)?;
            return self.define(name, Meaning::Register(register));
        };
        if count > MOST_REGISTERS {
            return self.error(format!("{count} registers are too many"));
        }
        for k in 0..count {
            let register = self.temporary(file)?;
            self.define(&format!("{name}{k}"), Meaning::Register(register))?;
        }
        Ok(())
    }

    /// A new register.
    pub(super) fn temporary(&mut self, file: File) -> Result<Register> {
        if self.program.registers.iter().copied().map(u32::from).sum::<u32>() >= MOST_REGISTERS {
            return self.error("the kernel has too many registers");
        }
        let count = &mut self.program.registers[file as usize];
        let index = *count;
        *count += 1;
        Ok(Register { file, index })
    }

    /// Finds room for a variable of a body.
    pub(super) fn place(&mut self, variable: &Variable) -> Result<Meaning> {
        if let (Space::Local | Space::Param, Some(frame)) = (variable.space, &mut self.calls.frame)
        {
            let align = u64::from(variable.align).max(1);
            let offset = frame.used.next_multiple_of(align);
            frame.used = offset.saturating_add(variable.bytes);
            frame.most = frame.most.max(frame.used);
            frame.align = frame.align.max(align);
            if frame.most <= MOST_LOCAL {
                return Ok(Meaning::Frame(offset));
            }
        }
        let total = match variable.space {
            Space::Shared if variable.unsized_array => {
                self.program.dynamic_shared = Some(variable.name.clone());
                return Ok(Meaning::DynamicShared);
            }
            Space::Shared => &mut self.shared_bytes,
            // Parameters of device functions live in local memory too.
            Space::Local | Space::Param => &mut self.program.local_bytes,
            _ => return self.error(format!("`{}`: only the module may declare it", variable.name)),
        };
        let space = if variable.space == Space::Shared { Space::Shared } else { Space::Local };
        let offset = total.next_multiple_of(u64::from(variable.align));
        let end = offset.saturating_add(variable.bytes);
        *total = end;
        let most = if space == Space::Local { MOST_LOCAL } else { u64::from(u32::MAX) };
        if end > most {
            let name = &variable.name;
            return self.error(format!(
                "`{name}` does not fit: {end} bytes of {space} memory, of which there are at most {most}"
            ));
        }
        if space == Space::Shared {
            let (name, bytes) = (variable.name.clone(), variable.bytes);
            self.program.shared.push(SharedVariable { name, offset, bytes });
        }
        Ok(Meaning::Offset(space, offset))
    }

    /// Finds room in shared memory for what no variable names.
    pub(super) fn reserve_shared(&mut self, name: &str, align: u64, bytes: u64) -> Result<u64> {
        let offset = self.shared_bytes.next_multiple_of(align);
        self.shared_bytes = offset + bytes;
        self.program.shared.push(SharedVariable { name: name.to_string(), offset, bytes });
        Ok(offset)
    }

    /// What a name stands for: in the body, or in the module.
    pub(super) fn meaning(&mut self, name: &str) -> Result<Meaning> {
        if let Some(meaning) = self.names.find(name) {
            return Ok(meaning);
        }
        let file = self.file;
        let Some(index) = file.variables.iter().position(|v| v.name == name) else {
            if let Some(index) = self.graph.find(name) {
                return Ok(Meaning::Function(index as u32));
            }
            return self.error(format!("`{name}` is not declared"));
        };
        let variable = &file.variables[index];
        match variable.space {
            Space::Global | Space::Const => Ok(Meaning::Global(variable.space, index as u32)),
            Space::Shared => {
                let meaning = self.place(variable)?;
                self.names.define_outermost(name.to_string(), meaning);
                Ok(meaning)
            }
            space => {
                self.error(format!("`{name}`: {space} variables of a module are not supported"))
            }
        }
    }

    fn instruction(&mut self, i: &'a ast::Instruction) -> Result<()> {
        self.line = i.line;
        self.start = Some(i.span.start);
        self.location = i.location;
        self.current = Current::default();
        self.scratch.iter_mut().for_each(|(_, taken)| *taken = 0);
        self.guard = Guard::NONE;
        if let Some((name, negated)) = &i.guard {
            let predicate = self.predicate(name)?;
            self.guard = Guard::new(predicate, *negated);
        }
        let place = self.program.code.len() as u32;
        let origin = self.origins.len();
        let class = self.opcode(i)?;
        if self.program.code.len() as u32 > place {
            let Current { destinations, sources } = std::mem::take(&mut self.current);
            // A call's own instruction comes before those of its body.
            self.origins.insert(
                origin,
                Origin { place, opcode: i.opcode.clone(), class, destinations, sources },
            );
        }
        Ok(())
    }

    fn opcode(&mut self, i: &'a ast::Instruction) -> Result<Class> {
        let vector = i.operands.iter().any(|o| matches!(o, Operand::Vector(_)));
        if let (Some(fast), false) = (Fast::from_opcode(&i.opcode), vector)
            && !self.is_clock(i)
        {
            let (inputs, output) = fast.signature();
            self.arity(i, 1 + inputs.len())?;
            let operands = self.sources(&i.operands[1..], &inputs)?;
            let d = self.destination(&i.operands[0], output)?;
            self.emit(Operation::Fast(fast), d, operands)?;
            return Ok(fast.class());
        }
        if let Some(class) = self.memory(i)? {
            return Ok(class);
        }
        if let Some(class) = self.warp(i)? {
            return Ok(class);
        }
        if let Some(class) = self.control(i)? {
            return Ok(class);
        }
        if let Some(class) = self.matrix(i)? {
            return Ok(class);
        }
        if let Some(class) = self.mbarrier(i)? {
            return Ok(class);
        }
        if let Some(class) = self.copying(i)? {
            return Ok(class);
        }
        if let Some(class) = self.texture(i)? {
            return Ok(class);
        }
        if let Some(class) = self.half(i)? {
            return Ok(class);
        }
        if let Some(class) = self.video(i)? {
            return Ok(class);
        }
        self.arithmetic(i)
    }

    pub(super) fn arity(&self, i: &ast::Instruction, wanted: usize) -> Result<()> {
        if i.operands.len() == wanted {
            return Ok(());
        }
        let found = i.operands.len();
        self.error(format!("`{}` takes {wanted} operands, found {found}", i.opcode))
    }

    pub(super) fn emit(
        &mut self,
        operation: Operation,
        d: u16,
        [a, b, c, e]: [u16; 4],
    ) -> Result<()> {
        /// More than any compiler writes; bounds what inlined calls of calls can grow to.
        const LONGEST: usize = 1 << 22;
        if self.program.code.len() >= LONGEST {
            return self.error("the kernel is too long");
        }
        let operands = Operands { d, a, b, c, e };
        self.program.code.push(Instruction { operation, guard: self.guard, operands });
        self.program.lines.push((self.line, self.location));
        Ok(())
    }

    /// Emits a row of the table into a new register.
    pub(super) fn compute(&mut self, fast: Fast, a: u16, b: u16) -> Result<u16> {
        let d = self.temporary(file_of(fast.signature().1))?.index;
        self.emit(Operation::Fast(fast), d, [a, b, 0, 0])?;
        Ok(d)
    }

    /// A register for a value that only this instruction needs.
    pub(super) fn scratch_register(&mut self, file: File) -> Result<u16> {
        let (all, taken) = &mut self.scratch[file as usize];
        *taken += 1;
        if let Some(&index) = all.get(*taken - 1) {
            return Ok(index);
        }
        let index = self.temporary(file)?.index;
        self.scratch[file as usize].0.push(index);
        Ok(index)
    }

    /// Emits a row of the table into such a register.
    pub(super) fn scratch(&mut self, fast: Fast, [a, b, c]: [u16; 3]) -> Result<u16> {
        let d = self.scratch_register(file_of(fast.signature().1))?;
        self.emit(Operation::Fast(fast), d, [a, b, c, 0])?;
        Ok(d)
    }

    /// The register that carries go through.
    pub(super) fn carry_flag(&mut self, file: File) -> Result<u16> {
        if let Some(index) = self.carry_flags[file as usize] {
            return Ok(index);
        }
        let index = self.temporary(file)?.index;
        self.carry_flags[file as usize] = Some(index);
        Ok(index)
    }

    /// A register that holds a constant.
    pub(super) fn constant(&mut self, file: File, constant: Constant) -> Result<u16> {
        if let Some(&index) = self.constants.get(&(file, constant)) {
            return Ok(index);
        }
        let register = self.temporary(file)?;
        self.constants.insert((file, constant), register.index);
        self.program.constants.push((register, constant));
        Ok(register.index)
    }
}
