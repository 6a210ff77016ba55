//! A function's code as PTX: blocks in a good order, registers numbered by class.

use std::fmt::Write;

use crate::machine::{Base, Block, Code, End, Flow, Form, Instruction, Operand, Piece, Register};
use crate::types::Class;

/// Where the source of an instruction is: the numbers of its file, line and column.
pub(crate) type Place = (u32, u32, u32);

/// The body of a function between its braces; `declarations` are its variables.
pub(crate) fn body(
    code: &Code,
    function: usize,
    declarations: &str,
    place: impl Fn(u32) -> Option<Place>,
) -> String {
    let flow = Flow::of(code);
    let order = layout(code, &flow);
    let mut printer =
        Printer { names: names(code, &order), function, text: String::new(), last: None, place };
    for (class, prefix) in [("pred", "p"), ("b16", "rs"), ("b32", "r"), ("b64", "rd")] {
        let count = printer.names.iter().filter(|(it, _)| *it == prefix).map(|it| it.1 + 1).max();
        if let Some(count) = count {
            let _ = writeln!(printer.text, "\t.reg .{class} \t%{prefix}<{count}>;");
        }
    }
    printer.text += declarations;
    for (at, block) in order.iter().enumerate() {
        let is_target = flow.before[*block].len() > 1
            || flow.before[*block].iter().any(|it| at == 0 || order[at - 1] != *it);
        if is_target || at > 0 {
            let _ = writeln!(printer.text, "{}:", printer.label(*block));
        }
        printer.block(&code.blocks[*block], order.get(at + 1).copied());
    }
    printer.text
}

/// The blocks that can be reached, a loop's together, each after those before it, and after one that leads to it if it can.
fn layout(code: &Code, flow: &Flow) -> Vec<usize> {
    let mut place = vec![usize::MAX; code.blocks.len()];
    flow.order.iter().enumerate().for_each(|(at, block)| place[*block] = at);
    // How many blocks before a block are still to come; a way back is none.
    let mut open: Vec<usize> = vec![0; code.blocks.len()];
    for block in &flow.order {
        let forward = flow.before[*block].iter().filter(|from| place[**from] < place[*block]);
        open[*block] = forward.count();
    }
    let mut ready = vec![0];
    let mut order: Vec<usize> = Vec::new();
    while !ready.is_empty() {
        let targets = order.last().map(|last| code.blocks[*last].end.targets()).unwrap_or_default();
        let best = ready.iter().enumerate().max_by_key(|(_, block)| {
            let follows = targets.contains(block);
            (flow.depth[**block], follows, usize::MAX - place[**block])
        });
        let Some((at, _)) = best else { break };
        let block = ready.swap_remove(at);
        order.push(block);
        let mut targets = code.blocks[block].end.targets();
        targets.dedup();
        for to in targets {
            if place[to] > place[block] {
                open[to] -= 1;
                if open[to] == 0 {
                    ready.push(to);
                }
            }
        }
    }
    order
}

/// The prefix and number of each register, in the order in which they are written.
fn names(code: &Code, order: &[usize]) -> Vec<(&'static str, u32)> {
    let mut names = vec![("", 0); code.classes.len()];
    let mut counts = [0_u32; 4];
    let mut name = |register: Register| {
        let (prefix, count) = match code.classes[register as usize] {
            Class::Predicate => ("p", &mut counts[0]),
            Class::B16 => ("rs", &mut counts[1]),
            Class::B32 => ("r", &mut counts[2]),
            Class::B64 => ("rd", &mut counts[3]),
        };
        if names[register as usize].0.is_empty() {
            *count += 1;
            names[register as usize] = (prefix, *count);
        }
    };
    for block in order {
        for instruction in &code.blocks[*block].instructions {
            instruction.results.iter().copied().for_each(&mut name);
            instruction.reads().for_each(&mut name);
        }
        if let End::Branch { predicate, .. } = code.blocks[*block].end {
            name(predicate);
        }
    }
    names
}

struct Printer<F> {
    names: Vec<(&'static str, u32)>,
    function: usize,
    text: String,
    last: Option<Place>,
    place: F,
}

impl<F: Fn(u32) -> Option<Place>> Printer<F> {
    fn label(&self, block: usize) -> String {
        format!("$L{}_{block}", self.function)
    }

    fn register(&self, register: Register) -> String {
        let (prefix, number) = self.names[register as usize];
        format!("%{prefix}{number}")
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Register(register) => self.register(*register),
            Operand::Integer(value) => value.to_string(),
            Operand::Single(bits) => format!("0f{bits:08X}"),
            Operand::Double(bits) => format!("0d{bits:016X}"),
            Operand::Name(name) => name.to_string(),
            Operand::Memory(base, plus) => {
                let base = match base {
                    Base::Register(register) => self.register(*register),
                    Base::Symbol(name) => name.to_string(),
                    Base::Nothing => return format!("[{plus}]"),
                };
                match plus {
                    0 => format!("[{base}]"),
                    _ => format!("[{base}{plus:+}]"),
                }
            }
        }
    }

    /// One, or several in braces.
    fn vector(&self, parts: &[String]) -> String {
        match parts {
            [part] => part.clone(),
            _ => format!("{{{}}}", parts.join(", ")),
        }
    }

    fn locate(&mut self, location: Option<u32>) {
        let found = location.and_then(|it| (self.place)(it)).filter(|it| it.1 > 0);
        if let Some((file, line, column)) = found.filter(|_| found != self.last) {
            let _ = writeln!(self.text, "\t.loc\t{file} {line} {column}");
            self.last = found;
        }
    }

    fn block(&mut self, block: &Block, next: Option<usize>) {
        for instruction in &block.instructions {
            self.locate(instruction.location);
            let line = self.instruction(instruction);
            self.text += &line;
        }
        self.locate(block.location);
        let jump = |to: usize| format!("\tbra.uni \t{};\n", self.label(to));
        let line = match &block.end {
            End::Return => "\tret;\n".to_string(),
            End::Exit => "\texit;\n".to_string(),
            End::Jump(to) if next == Some(*to) => return,
            End::Jump(to) => jump(*to),
            End::Branch { yes, no, .. } if yes == no && next == Some(*yes) => return,
            End::Branch { yes, no, .. } if yes == no => jump(*yes),
            End::Branch { predicate, yes, no } => {
                let predicate = self.register(*predicate);
                match next {
                    Some(it) if it == *no => {
                        format!("\t@{predicate} bra \t{};\n", self.label(*yes))
                    }
                    Some(it) if it == *yes => {
                        format!("\t@!{predicate} bra \t{};\n", self.label(*no))
                    }
                    _ => format!("\t@{predicate} bra \t{};\n{}", self.label(*yes), jump(*no)),
                }
            }
        };
        self.text += &line;
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        let operands: Vec<String> =
            instruction.operands.iter().map(|it| self.operand(it)).collect();
        let results: Vec<String> =
            instruction.results.iter().map(|it| self.register(*it)).collect();
        let several = if operands.len().max(results.len() + 1) > 2 {
            operands.len().max(results.len() + 1) - 1
        } else {
            1
        };
        let vector = if several > 1 { format!(".v{several}") } else { String::new() };
        match &instruction.form {
            Form::Pure(opcode) | Form::Fixed(opcode) => {
                let all: Vec<String> = results.into_iter().chain(operands).collect();
                format!("\t{opcode} \t{};\n", all.join(", "))
            }
            Form::Load(access) => {
                let (modifiers, element) = (&access.modifiers, access.element);
                let results = self.vector(&results);
                format!("\tld{modifiers}{vector}.{element} \t{results}, {};\n", operands[0])
            }
            Form::Store(access) => {
                let (modifiers, element) = (&access.modifiers, access.element);
                let values = self.vector(&operands[1..]);
                format!("\tst{modifiers}{vector}.{element} \t{}, {values};\n", operands[0])
            }
            Form::Text { pieces, .. } => {
                let text: String = pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => text.as_str(),
                        Piece::Result(at) => &results[*at],
                        Piece::Operand(at) => &operands[*at],
                    })
                    .collect();
                if text.trim().is_empty() { String::new() } else { format!("\t{text}\n") }
            }
        }
    }
}
