//! One function: its header, its parameters, its blocks.

use std::fmt::Write;
use std::rc::Rc;

use super::context::Context;
use super::names;
use super::part::Part;
use super::spaces::{self, Origin};
use crate::error::{IrError, Problem, problem};
use crate::machine::{
    self, Base, Block, Code, End, Flow, Form, Instruction, Operand, Phi, Register,
};
use crate::print;
use crate::syntax::{Action, Function, Instruction as Source, Label};
use crate::types::{Class, Scalar, Type};

/// The most registers times blocks of a function.
const MOST_WORK: usize = 1 << 30;

/// A function on its way to PTX.
pub(super) struct Lowerer<'a> {
    pub context: &'a Context<'a>,
    pub function: &'a Function,
    pub code: Code,
    /// The scalars of each local, once it is known.
    pub values: Vec<Option<Rc<[Part]>>>,
    pub origins: Vec<Origin>,
    /// The instruction that makes a local.
    pub sources: Vec<Option<&'a Source>>,
    /// The block that gets instructions.
    pub block: usize,
    /// The block of the IR that a block is a part of.
    pub parts_of: Vec<Label>,
    /// Where the source of the instruction is that is being translated.
    pub location: Option<u32>,
    /// Variables on the stack.
    pub declarations: String,
    /// Subnormal numbers of single precision are 0.
    pub flushes: bool,
    pub number: usize,
    /// Numbers of signatures of functions that pointers lead to.
    pub prototypes: usize,
    stack: usize,
}

/// The text of a function.
pub(super) fn translate(
    context: &Context,
    function: &Function,
    number: usize,
    declarations: &str,
) -> Result<String, IrError> {
    let mut sources = vec![None; function.locals];
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        if let Some(result) = instruction.result
            && (sources[result].replace(instruction).is_some()
                || function.arguments.contains(&result))
        {
            return Err(Problem::new("a value is defined twice").at(instruction.line));
        }
    }
    let attribute = |key: &str| context.attribute(function, key);
    let flushes = attribute("denormal-fp-math-f32").or(attribute("denormal-fp-math"));
    let mut lowerer = Lowerer {
        context,
        function,
        code: Code::default(),
        values: vec![None; function.locals],
        origins: spaces::of_function(context, function),
        sources,
        block: 0,
        parts_of: Vec::new(),
        location: None,
        declarations: declarations.to_string(),
        flushes: flushes.is_some_and(|it| it.starts_with("preserve-sign")),
        number,
        prototypes: 0,
        stack: 0,
    };
    lowerer.blocks()?;
    if lowerer.code.blocks.len().saturating_mul(lowerer.code.classes.len()) > MOST_WORK {
        return Err(Problem::new("the function is too large").at(function.line));
    }
    machine::finish(&mut lowerer.code);
    let head = header(context, function).map_err(|it| it.at(function.line))?;
    let body = print::body(&lowerer.code, number, &lowerer.declarations, |it| context.place(it));
    Ok(format!("\n{head}\n{{\n{body}}}\n"))
}

/// The name of a parameter in PTX.
pub(super) fn parameter_name(function: &str, number: usize) -> Rc<str> {
    format!("{}_param_{number}", names::of_symbol(function)).into()
}

/// How PTX passes a value of a type, with its name: a scalar, or bytes.
pub(super) fn passed(kind: &Type, align: u64, name: &str) -> Result<String, Problem> {
    Ok(match kind {
        Type::Scalar(scalar) => {
            format!(".param .b{} {name}", scalar.bits().next_power_of_two().max(32))
        }
        kind => {
            let align = align.max(kind.align());
            format!(".param .align {align} .b8 {name}[{}]", kind.size()?.max(1))
        }
    })
}

/// What stands before a function's braces.
pub(super) fn header(context: &Context, function: &Function) -> Result<String, Problem> {
    let name = names::of_symbol(&function.name);
    let mut parameters = Vec::new();
    for (number, parameter) in function.parameters.iter().enumerate() {
        let own = parameter_name(&function.name, number);
        let attributes = &parameter.attributes;
        parameters.push(match (&attributes.by_value, &parameter.kind) {
            (Some(kind), _) => {
                let align = attributes.align.max(kind.align());
                format!("\t.param .align {align} .b8 {own}[{}]", kind.size()?.max(1))
            }
            (None, Type::Scalar(scalar)) if function.is_kernel => {
                format!("\t.param .b{} {own}", scalar.bytes() * 8)
            }
            (None, kind) => format!("\t{}", passed(kind, 1, &own)?),
        });
    }
    let parameters = parameters.join(",\n");
    if !function.is_kernel {
        let result = match function.result {
            Type::Void => String::new(),
            ref kind => format!("({}) ", passed(kind, 1, "func_retval0")?),
        };
        let linkage = match (function.blocks.is_empty(), function.is_visible) {
            (true, _) => ".extern ",
            (false, true) => ".visible ",
            (false, false) => "",
        };
        return Ok(format!("{linkage}.func {result}{name}(\n{parameters}\n)"));
    }
    let mut text = format!(".visible .entry {name}(\n{parameters}\n)");
    for (key, directive) in [
        ("maxntid", "maxntid"),
        ("reqntid", "reqntid"),
        ("minctasm", "minnctapersm"),
        ("maxnreg", "maxnreg"),
    ] {
        if let Some(value) = context.attribute(function, &format!("nvvm.{key}")) {
            let is_numbers = value.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '));
            if !value.is_empty() && is_numbers {
                let _ = write!(text, "\n.{directive} {}", value.replace(',', ", "));
            }
        }
    }
    Ok(text)
}

impl<'a> Lowerer<'a> {
    /// Translates all blocks that can be reached.
    fn blocks(&mut self) -> Result<(), IrError> {
        let function = self.function;
        for (label, _) in function.blocks.iter().enumerate() {
            self.new_block(label);
        }
        let targets: Vec<Vec<usize>> = function
            .blocks
            .iter()
            .map(|block| {
                block.instructions.last().map(|it| it.action.targets()).unwrap_or_default()
            })
            .collect();
        let flow = Flow::of_targets(&targets);
        let start = function.line;
        self.parameters().map_err(|problem| problem.at(start))?;
        for label in &flow.order {
            self.block = *label;
            for instruction in &function.blocks[*label].instructions {
                self.location = instruction.location;
                let done = self.instruction(instruction);
                done.map_err(|it| {
                    self.context.located(it, instruction.line, instruction.location)
                })?;
            }
        }
        self.incoming(&flow)
    }

    /// A new block that is a part of one of the IR.
    pub fn new_block(&mut self, label: Label) -> usize {
        let location = self.location;
        self.code.blocks.push(Block {
            phis: Vec::new(),
            instructions: Vec::new(),
            end: End::Exit,
            location,
        });
        self.parts_of.push(label);
        self.code.blocks.len() - 1
    }

    /// Ends the block that gets instructions; what follows goes into another.
    pub fn end(&mut self, end: End) {
        let block = &mut self.code.blocks[self.block];
        (block.end, block.location) = (end, self.location);
    }

    /// A variable on the stack: its name.
    pub fn allocate(&mut self, bytes: u64, align: u64) -> Rc<str> {
        self.stack += 1;
        let name: Rc<str> = format!("__local_{}_{}", self.number, self.stack).into();
        let _ =
            writeln!(self.declarations, "\t.local .align {align} .b8 {name}[{}];", bytes.max(1));
        name
    }

    /// What each phi gets from each block before: only now all values are known.
    fn incoming(&mut self, flow: &Flow) -> Result<(), IrError> {
        let machine = Flow::of(&self.code);
        let function = self.function;
        for label in &flow.order {
            for instruction in &function.blocks[*label].instructions {
                let (Action::Phi { kind, incoming }, Some(result)) =
                    (&instruction.action, instruction.result)
                else {
                    continue;
                };
                let located = |it| self.context.located(it, instruction.line, instruction.location);
                let registers = self.values[result].clone().unwrap_or_default();
                let mut found: Vec<Vec<(usize, Operand)>> = vec![Vec::new(); registers.len()];
                for from in machine.before[*label].clone() {
                    let part_of = self.parts_of[from];
                    let Some((value, _)) = incoming.iter().find(|(_, label)| *label == part_of)
                    else {
                        return Err(located(Problem::new(
                            "a phi says nothing of a block before it",
                        )));
                    };
                    self.block = from;
                    self.location = None;
                    let space = self.origins[result].space;
                    let operands = match kind {
                        Type::Scalar(Scalar::Pointer(_)) => {
                            self.pointer_in(value, kind, space).map(|it| vec![it])
                        }
                        _ => self.parts(kind, value),
                    };
                    let operands = operands.map_err(|it| {
                        self.context.located(it, instruction.line, instruction.location)
                    })?;
                    for (found, operand) in found.iter_mut().zip(operands) {
                        found.push((from, operand));
                    }
                }
                let phis = &mut self.code.blocks[*label].phis;
                for (part, incoming) in registers.iter().zip(found) {
                    if let Some(result) = part.register() {
                        phis.push(Phi { result, incoming });
                    }
                }
            }
        }
        Ok(())
    }

    fn instruction(&mut self, source: &'a Source) -> Result<(), Problem> {
        let Some(result) = source.result else { return self.without_result(source) };
        let parts = match &source.action {
            Action::Binary { name, flags, kind, left, right } => {
                self.binary(name, *flags, kind, left, right)?
            }
            Action::Negate { kind, value } => self.negate(kind, value)?,
            Action::Compare { predicate, is_float, kind, left, right } => {
                self.compare(predicate, *is_float, kind, left, right)?
            }
            Action::Convert { name, flags, from, value, to } => {
                self.convert(name, *flags, from, value, to, self.origins[result].space)?
            }
            Action::Select { condition_kind, condition, kind, yes, no } => {
                let space = self.origins[result].space;
                self.select(condition_kind, condition, kind, [yes, no], space)?
            }
            Action::Phi { kind, .. } => {
                let scalars = kind.parts()?;
                let registers = scalars.into_iter().map(|scalar| {
                    let register = Operand::Register(self.code.register(scalar.class()));
                    match scalar {
                        Scalar::Pointer(_) => Part::of_pointer(&register),
                        _ => Part::Value(register),
                    }
                });
                registers.collect()
            }
            Action::Element { base, pointer_kind, pointer, indices } => {
                vec![self.element(base, pointer_kind, pointer, indices)?]
            }
            Action::Load(access) => self.load(access, self.origins[result].is_read_only)?,
            Action::Exchange { name, access, value } => self.exchange(name, access, value, true)?,
            Action::CompareExchange { access, expected, value } => {
                self.compare_exchange(access, expected, value)?
            }
            Action::Allocate { kind, count, align } => {
                let bytes = kind.size()?.checked_mul(*count).filter(|it| *it <= 1 << 24);
                let bytes =
                    bytes.ok_or_else(|| Problem::new("a variable on the stack is too large"))?;
                vec![Part::Address(Base::Symbol(self.allocate(bytes, *align)), 0)]
            }
            Action::Call(call) => self.call(call)?,
            Action::ExtractValue { kind, value, path } => self.extract_value(kind, value, path)?,
            Action::InsertValue { kind, value, part_kind, part, path } => {
                self.insert_value(kind, value, part_kind, part, path)?
            }
            Action::ExtractElement { kind, value, index } => {
                self.extract_element(kind, value, index)?
            }
            Action::InsertElement { kind, value, element, index } => {
                self.insert_element(kind, value, element, index)?
            }
            Action::Shuffle { kind, left, right, mask } => self.shuffle(kind, left, right, mask)?,
            Action::Freeze { kind, value } => match kind {
                Type::Scalar(Scalar::Pointer(_)) => {
                    let space = self.origins[result].space;
                    vec![self.pointer_part(value, kind, space)?]
                }
                _ => self.parts(kind, value)?.into_iter().map(Part::Value).collect(),
            },
            _ => return problem("this instruction has no result"),
        };
        self.values[result] = Some(parts.into());
        Ok(())
    }

    fn without_result(&mut self, source: &'a Source) -> Result<(), Problem> {
        match &source.action {
            Action::Store(access, value) => self.store(access, value),
            Action::Exchange { name, access, value } => {
                self.exchange(name, access, value, false).map(|_| ())
            }
            Action::CompareExchange { access, expected, value } => {
                self.compare_exchange(access, expected, value).map(|_| ())
            }
            Action::Fence { ordering, scope } => self.fence(*ordering, scope),
            Action::Call(call) => self.call(call).map(|_| ()),
            Action::Jump(to) => {
                self.end(End::Jump(*to));
                Ok(())
            }
            Action::Branch { condition, yes, no } => self.branch(condition, *yes, *no),
            Action::Switch { kind, value, cases, otherwise } => {
                self.switch(kind, value, cases, *otherwise)
            }
            Action::Return { kind, value } => self.return_value(kind, value.as_ref()),
            Action::Unreachable => {
                self.end(End::Exit);
                Ok(())
            }
            // A value that nobody names.
            _ => Ok(()),
        }
    }

    /// Adds an instruction.
    pub fn push(&mut self, form: Form, results: Vec<Register>, operands: Vec<Operand>) {
        let location = self.location;
        self.code.blocks[self.block].instructions.push(Instruction {
            form,
            results,
            operands,
            location,
        });
    }

    /// Adds an instruction that depends on its operands only: its result.
    pub fn pure(
        &mut self,
        opcode: impl Into<std::borrow::Cow<'static, str>>,
        class: Class,
        operands: Vec<Operand>,
    ) -> Register {
        let result = self.code.register(class);
        self.push(Form::Pure(opcode.into()), vec![result], operands);
        result
    }
}

impl Context<'_> {
    /// An attribute of a function, of its own or of its group.
    pub fn attribute(&self, function: &Function, key: &str) -> Option<String> {
        let groups = function.attributes.keys().filter_map(|it| it.strip_prefix('#'));
        let mut groups = groups.filter_map(|number| self.module.attributes.get(number));
        groups.find_map(|group| group.get(key).cloned())
    }
}
