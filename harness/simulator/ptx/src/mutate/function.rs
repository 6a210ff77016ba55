//! Facts about a function that decide how its instructions may be changed.

use std::collections::{HashMap, HashSet};

use crate::ast::{Instruction, Operand, Statement};

/// An analysed function body.
pub(super) struct Function<'b> {
    /// Its instructions, in the order of the text.
    pub instructions: Vec<&'b Instruction>,
    /// The number of registers declared together, by their name without the number.
    declared: HashMap<&'b str, u32>,
    /// Registers that some instruction reads.
    read: HashSet<&'b str>,
    /// Positions of backward branches.
    backward: HashSet<usize>,
    /// Predicates that guard backward branches.
    loop_guards: HashSet<&'b str>,
    /// Pairs of a generic and a global address that are equal.
    equal: HashSet<(&'b str, &'b str)>,
}

/// Instructions that do not write their first operand.
const WITHOUT_RESULT: [&str; 18] = [
    "st",
    "red",
    "stmatrix",
    "bar",
    "barrier",
    "membar",
    "fence",
    "bra",
    "brx",
    "ret",
    "exit",
    "trap",
    "cp",
    "call",
    "prefetch",
    "prefetchu",
    "nanosleep",
    "discard",
];

/// Whether an instruction's first operand is its result.
pub(super) fn has_result(instruction: &Instruction) -> bool {
    let mut parts = instruction.opcode.split('.');
    let base = parts.next().unwrap_or_default();
    !WITHOUT_RESULT.contains(&base)
        || matches!(base, "bar" | "barrier") && parts.any(|part| part == "red")
}

/// The operands that an instruction reads.
pub(super) fn sources(instruction: &Instruction) -> std::ops::Range<usize> {
    usize::from(has_result(instruction)).min(instruction.operands.len())..instruction.operands.len()
}

impl<'b> Function<'b> {
    pub(super) fn new(body: &'b [Statement]) -> Function<'b> {
        let mut function = Function {
            instructions: Vec::new(),
            declared: HashMap::new(),
            read: HashSet::new(),
            backward: HashSet::new(),
            loop_guards: HashSet::new(),
            equal: HashSet::new(),
        };
        function.walk(body, &mut HashSet::new());
        function
    }

    fn walk(&mut self, body: &'b [Statement], labels: &mut HashSet<&'b str>) {
        for statement in body {
            match statement {
                Statement::Label(label, _) => {
                    labels.insert(label);
                }
                Statement::Registers { name, count: Some(count), .. } => {
                    self.declared.insert(name, *count);
                }
                Statement::Registers { .. }
                | Statement::Variable(_)
                | Statement::Prototype { .. }
                | Statement::Targets { .. }
                | Statement::BranchTargets { .. } => {}
                Statement::Scope(inner) => self.walk(inner, labels),
                Statement::Instruction(instruction) => self.note(instruction, labels),
            }
        }
    }

    fn note(&mut self, instruction: &'b Instruction, labels: &HashSet<&'b str>) {
        self.instructions.push(instruction);
        for operand in &instruction.operands[sources(instruction)] {
            registers(operand, &mut |name| {
                self.read.insert(name);
            });
        }
        if instruction.opcode.starts_with("cvta.to.global")
            && let [Operand::Name(to), Operand::Name(from)] = instruction.operands.as_slice()
        {
            self.equal.extend([(to.as_str(), from.as_str()), (from.as_str(), to.as_str())]);
        }
        let guard = instruction.guard.as_ref().map(|(predicate, _)| predicate.as_str());
        self.read.extend(guard);
        if instruction.opcode.starts_with("bra")
            && let Some(Operand::Name(target)) = instruction.operands.first()
            && labels.contains(target.as_str())
        {
            self.backward.insert(instruction.span.start);
            self.loop_guards.extend(guard);
        }
    }

    /// Whether an instruction is dead: its result is unused and it has no other effect.
    pub(super) fn is_dead(&self, instruction: &Instruction) -> bool {
        if !has_result(instruction) || instruction.opcode.starts_with("atom") {
            return false;
        }
        let mut is_read = false;
        if let Some(result) = instruction.operands.first() {
            registers(result, &mut |name| is_read |= self.read.contains(name));
        }
        !is_read
    }

    /// Whether an instruction is a backward branch.
    pub(super) fn is_backward(&self, branch: &Instruction) -> bool {
        self.backward.contains(&branch.span.start)
    }

    /// Whether a predicate decides whether a loop continues.
    pub(super) fn guards_loop(&self, predicate: &str) -> bool {
        self.loop_guards.contains(predicate)
    }

    /// The registers beside one that were declared together with it.
    pub(super) fn neighbours(&self, register: &str) -> Vec<String> {
        let name = register.trim_end_matches(|c: char| c.is_ascii_digit());
        let (Some(&count), Ok(number)) =
            (self.declared.get(name), register[name.len()..].parse::<u32>())
        else {
            return Vec::new();
        };
        let next = [number.checked_add(1), number.checked_sub(1)].into_iter().flatten();
        // Compilers count from 1: number 0 is declared, and nobody's.
        let next = next.filter(|&number| number > 0 && number < count);
        let names = next.map(|number| format!("{name}{number}"));
        names.filter(|other| !self.equal.contains(&(register, other.as_str()))).collect()
    }

    /// The addition of an immediate that defines a register: its source and the immediate.
    pub(super) fn step_of(&self, register: &str) -> Option<(&'b Operand, u64)> {
        let mut steps = self.instructions.iter().filter_map(|i| match i.operands.as_slice() {
            [Operand::Name(to), from, Operand::Integer(step)]
                if i.opcode.starts_with("add.") && to == register =>
            {
                Some((from, *step))
            }
            _ => None,
        });
        steps.next()
    }
}

/// Calls `hear` with every name in an operand.
fn registers<'o>(operand: &'o Operand, hear: &mut dyn FnMut(&'o str)) {
    match operand {
        Operand::Name(name) | Operand::Not(name) | Operand::Negative(name) => hear(name),
        Operand::Address { base: Some(base), .. } => hear(base),
        Operand::Pair(first, second) => {
            hear(first);
            hear(second);
        }
        Operand::Object(name, parts) => {
            hear(name);
            parts.iter().for_each(|part| registers(part, hear));
        }
        Operand::Vector(parts) | Operand::List(parts) => {
            parts.iter().for_each(|part| registers(part, hear));
        }
        Operand::Address { base: None, .. }
        | Operand::Integer(_)
        | Operand::Single(_)
        | Operand::Double(_) => {}
    }
}
