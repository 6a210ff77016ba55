//! Branches, calls and barriers.

use super::builder::{Builder, Result};
use super::call_state::Signature;
use super::names::Meaning;
use crate::alu::lanewise::Compared;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Statement, Type};
use semantics::compare::Comparison;

const WORD: Type = Type { kind: Kind::Bits, bits: 32 };

impl<'a> Builder<'a> {
    /// Lowers the statements between two braces, after defining their labels. A label is known between its braces only,
    /// so that an inlined `asm` block can have its own (PTX ISA 12.3, section 5.4.1 does so for registers).
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
                Statement::Prototype { name, results, parameters, line } => {
                    self.line = *line;
                    self.signature(name, Signature::new(results, parameters))?;
                }
                Statement::Targets { name, functions, line } => {
                    self.line = *line;
                    let signature = self.targets(functions)?;
                    self.signature(name, signature)?;
                }
                Statement::BranchTargets { name, labels, line } => {
                    self.line = *line;
                    self.branch_targets.push(labels.clone());
                    let index = self.branch_targets.len() as u32 - 1;
                    self.define(name, Meaning::BranchTargets(index))?;
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

    /// Control flow and barriers; `None` for other instructions.
    pub(super) fn control(&mut self, i: &'a Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        Ok(Some(match parts[0] {
            "bra" => {
                self.branch(i)?;
                Class::Branch
            }
            "brx" => {
                self.branch_by_number(i)?;
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
            "bar" | "barrier" => {
                self.barrier(i, &parts)?;
                Class::Barrier
            }
            "fence" if parts.contains(&"proxy") => {
                self.emit(Operation::ProxyFence(Proxied::All), 0, [0; 4])?;
                Class::Fence
            }
            "fence" if parts.contains(&"mbarrier_init") => {
                self.emit(Operation::ProxyFence(Proxied::Barriers), 0, [0; 4])?;
                Class::Fence
            }
            "membar" | "fence" => {
                let scope = parts.iter().find_map(|part| Scope::parse(part));
                let scope = scope.unwrap_or(Scope::Sys);
                let sequential = parts[0] == "membar" || parts.contains(&"sc");
                self.emit(Operation::Fence { scope, sequential }, 0, [0; 4])?;
                Class::Fence
            }
            // Hints to a scheduler that do not change results.
            "setmaxnreg" => {
                let [Operand::Integer(count @ 24..=256)] = i.operands[..] else {
                    return self.error("`setmaxnreg` needs a number of registers from 24 to 256");
                };
                self.emit(Operation::Registers(count as u32), 0, [0; 4])?;
                Class::Fence
            }
            "nanosleep" | "pmevent" | "griddepcontrol" => {
                self.emit(Operation::Nothing, 0, [0; 4])?;
                Class::Fence
            }
            _ => return Ok(None),
        }))
    }

    /// `brx.idx{.uni} index, targets`: to the label of this index. It executes as one branch for each label but the
    /// last, and counts as one instruction.
    fn branch_by_number(&mut self, i: &Instruction) -> Result<()> {
        let ("brx.idx" | "brx.idx.uni", [number, Operand::Name(targets)]) =
            (i.opcode.as_str(), i.operands.as_slice())
        else {
            return self.error(format!("`{}` needs a number and `.branchtargets`", i.opcode));
        };
        let Meaning::BranchTargets(index) = self.meaning(targets)? else {
            return self.error(format!("`{targets}` is not a list of `.branchtargets`"));
        };
        let number = self.source(number, WORD)?;
        let after = self.new_label();
        if let Some(others) = self.guard.inverted() {
            self.guard = others;
            self.emit(Operation::Branch(after), 0, [0; 4])?;
            self.guard = Guard::NONE;
        }
        let labels = self.branch_targets[index as usize].clone();
        for (value, name) in labels.iter().enumerate() {
            let Meaning::Label(label) = self.meaning(name)? else {
                return self.error(format!("`{name}` is not a label"));
            };
            if value + 1 < labels.len() {
                let value = self.constant(File::Words, Constant::Bits(value as u64))?;
                let is_it = self.scratch_register(File::Predicates)?;
                let equal = Operation::Compare(Compared::U32, Comparison::Equal);
                self.emit(equal, is_it, [number, value, 0, 0])?;
                self.guard = Guard::new(is_it, false);
            }
            self.emit(Operation::Branch(label), 0, [0; 4])?;
            self.guard = Guard::NONE;
        }
        self.labels[after as usize] = self.program.code.len() as u32;
        Ok(())
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
