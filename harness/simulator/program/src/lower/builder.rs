//! Builds the program of one kernel: registers, constants, operands, instructions.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::addresses;
use super::call_state::Calls;
use super::elsewhere::elsewhere;
use super::graph::Graph;
use super::names::{Meaning, Names};
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::*;
use crate::kernel::{Block, Code, Kernel, Parameter, Summary};
use crate::registers::{File, Operands, Register};
use ptx::Error;
use ptx::Space;
use ptx::ast::{self, Function, Operand, Statement};

/// Most bytes of a kernel's parameters (compute capability 7.0 and later).
const MOST_PARAMETERS: u64 = 32_764;

/// Registers of the instruction being lowered.
#[derive(Default)]
pub(super) struct Current {
    pub destinations: Vec<Register>,
    pub sources: Vec<Register>,
}

/// A PTX instruction and where its code begins, for [`Summary`].
pub(super) struct Origin {
    place: u32,
    opcode: String,
    class: Class,
    pub(super) destinations: Vec<Register>,
    sources: Vec<Register>,
}

pub struct Builder<'a> {
    pub(super) file: &'a ast::File,
    pub(super) graph: &'a Graph<'a>,
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) calls: Calls,
    /// Index in the code of each label.
    pub(super) labels: Vec<u32>,
    /// The label lists of indirect branches.
    pub(super) branch_targets: Vec<Vec<String>>,
    pub(super) guard: Guard,
    pub(super) line: u32,
    /// Byte offset in the text of the instruction being lowered.
    pub(super) start: Option<usize>,
    location: ast::Location,
    pub(super) constants: HashMap<(File, Constant), u16>,
    /// The condition code register, for each width of carry.
    pub(super) carry_flags: [Option<u16>; 3],
    /// Scratch registers by [`File`], and how many of them the current instruction uses.
    pub(super) scratch: [(Vec<u16>, usize); 3],
    pub(super) shared_bytes: u64,
    /// What dynamic shared memory begins at a multiple of, after the static.
    pub(super) dynamic_align: u64,
    pub(super) current: Current,
    pub(super) origins: Vec<Origin>,
}

pub(super) type Result<T> = std::result::Result<T, Error>;

impl<'a> Builder<'a> {
    pub fn new(file: &'a ast::File, graph: &'a Graph<'a>) -> Builder<'a> {
        Builder {
            file,
            graph,
            program: Program::default(),
            names: Names::default(),
            calls: Calls::default(),
            labels: Vec::new(),
            branch_targets: Vec::new(),
            guard: Guard::NONE,
            line: 0,
            start: None,
            location: ast::Location::default(),
            constants: HashMap::new(),
            carry_flags: [None; 3],
            scratch: Default::default(),
            shared_bytes: 0,
            dynamic_align: 1,
            current: Current::default(),
            origins: Vec::new(),
        }
    }

    /// Lowers a kernel.
    pub fn kernel(mut self, kernel: &'a Function) -> Result<Kernel> {
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
                    "the parameters of `{name}` take {offset} bytes, but at most {MOST_PARAMETERS} are allowed"
                ));
            }
        }
        self.program.parameter_bytes = offset as u32;
        self.names.enter(false);
        self.body(kernel.body.as_deref().unwrap_or_default())?;
        self.guard = Guard::NONE;
        // A thread exits at the end of the body.
        self.emit(Operation::Exit, 0, [0; 4])?;
        self.functions()?;
        Ok(self.finish(kernel, parameters))
    }

    fn finish(mut self, function: &Function, parameters: Vec<Parameter>) -> Kernel {
        let program = &mut self.program;
        program.blocks = crate::cfg::blocks(&mut program.code, &program.calls, &self.labels);
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
            required_cluster: function.required_cluster,
            needs_cluster: function.needs_cluster,
            shared_bytes: self.shared_bytes.next_multiple_of(self.dynamic_align) as u32,
            code: Code { blocks, program: self.program, instruction_at },
            // The module sets these.
            file: String::new(),
            source_files: Arc::default(),
            loops: OnceLock::new(),
            communication: OnceLock::new(),
            counting: OnceLock::new(),
            unwritten: OnceLock::new(),
            undefined_reads: OnceLock::new(),
            unfinished: OnceLock::new(),
        }
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error { start: self.start, ..Error::new(self.line, message) })
    }

    pub(super) fn unsupported<T>(&self, opcode: &str) -> Result<T> {
        match elsewhere(opcode) {
            Some(why) => self.lacks(format!("unsupported instruction `{opcode}`: {why}")),
            None => self.lacks(format!("unsupported instruction `{opcode}`")),
        }
    }

    /// An error for valid PTX that is not supported.
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
                    self.body(inner)?;
                    self.names.leave();
                    self.release(used);
                }
                // Already defined, like labels.
                Statement::Prototype { .. }
                | Statement::Targets { .. }
                | Statement::BranchTargets { .. } => {}
                Statement::Instruction(i) => self.instruction(i)?,
            }
        }
        Ok(())
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
            // A call comes before the inlined instructions of its body.
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
        if let Some(class) = self.remote(i)? {
            return Ok(class);
        }
        if let Some(class) = self.memory(i)? {
            return Ok(class);
        }
        if let Some(class) = self.warp(i)? {
            return Ok(class);
        }
        if let Some(class) = self.cluster(i)? {
            return Ok(class);
        }
        if let Some(class) = self.maps(i)? {
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
        if let Some(class) = self.tensor(i)? {
            return Ok(class);
        }
        if let Some(class) = self.copying(i)? {
            return Ok(class);
        }
        if let Some(class) = self.texture(i)? {
            return Ok(class);
        }
        if let Some(class) = self.bytes(i)? {
            return Ok(class);
        }
        if let Some(class) = self.single_pairs(i)? {
            return Ok(class);
        }
        if let Some(class) = self.stack(i)? {
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
        /// More than any compiler emits; bounds the growth by nested inlining.
        const LONGEST: usize = 1 << 22;
        if self.program.code.len() >= LONGEST {
            return self.error("the kernel is too long");
        }
        let operands = Operands { d, a, b, c, e };
        self.program.code.push(Instruction { operation, guard: self.guard, operands });
        self.program.lines.push((self.line, self.location));
        Ok(())
    }
}
