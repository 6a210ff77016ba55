//! Barriers in shared memory on which threads arrive and wait separately: `mbarrier`.
//!
//! They are built from atomics and loads, so that the same rules order memory. The phase is the top bit of the state
//! (`exec::mbarrier`).

use super::builder::{Builder, Result};
use super::memory::modifiers;
use super::names::Meaning;
use super::opcode::{PREDICATE, WORD};
use crate::alu::Fast;
use crate::alu::lanewise::Compared;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::Space;
use ptx::ast::{Instruction, Kind, Operand, Type};
use semantics::compare::Comparison;

const STATE: Type = Type { kind: Kind::Bits, bits: 64 };
const ORDERED: Order = Order { acquire: true, release: true };

/// Position and width in bits of the pending arrivals in a state.
const PENDING: u64 = 20;

impl Builder<'_> {
    /// Instructions of `mbarrier`; `None` for other instructions.
    pub(super) fn mbarrier(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let Some(rest) = i.opcode.strip_prefix("mbarrier.") else { return Ok(None) };
        let is = |word: &str| rest.split('.').any(|part| part == word);
        let operation = rest.split('.').next().unwrap_or_default();
        // Barriers of other blocks can be arrived at, and not waited for.
        let reaches = matches!(operation, "arrive" | "arrive_drop" | "expect_tx" | "complete_tx");
        let space = match modifiers(&i.opcode).space {
            space @ (Space::Shared | Space::Generic) => space,
            space @ Space::Cluster if reaches => space,
            _ => return self.unsupported(&i.opcode),
        };
        let with_bytes = is("expect_tx");
        match operation {
            "init" => {
                self.arity(i, 2)?;
                let count = self.source(&i.operands[1], WORD)?;
                let count = self.scratch(Fast::U64FromU32, [count, 0, 0])?;
                let amount = self.constant(File::Words, Constant::Bits(PENDING))?;
                let pending = self.scratch(Fast::ShlU64, [count, amount, 0])?;
                let state = self.scratch(Fast::OrU64, [count, pending, 0])?;
                self.store_state(&i.operands[0], space, state)?;
            }
            "inval" => {
                self.arity(i, 1)?;
                let state = self.constant(File::Doubles, Constant::Bits(u64::MAX))?;
                self.store_state(&i.operands[0], space, state)?;
            }
            "expect_tx" => {
                self.arity(i, 2)?;
                let value = self.arrivals(None, Some(&i.operands[1]))?;
                self.arrive(AtomicOperation::Arrive, None, &i.operands[0], space, value)?;
            }
            "complete_tx" => {
                self.arity(i, 2)?;
                let bytes = self.source(&i.operands[1], WORD)?;
                let bytes = self.scratch(Fast::U64FromU32, [bytes, 0, 0])?;
                let complete = AtomicOperation::Complete;
                self.arrive(complete, None, &i.operands[0], space, bytes)?;
            }
            "arrive" | "arrive_drop" => {
                let (target, rest) = match i.operands.as_slice() {
                    [target, address, rest @ ..] if rest.len() <= 1 => (target, (address, rest)),
                    _ => return self.error(format!("`{}` needs a state and an address", i.opcode)),
                };
                let (address, rest) = rest;
                let value = match (rest.first(), with_bytes) {
                    (Some(bytes), true) => {
                        self.arrivals(Some(&Operand::Integer(1)), Some(bytes))?
                    }
                    (None, true) => {
                        return self.error(format!("`{}` needs a number of bytes", i.opcode));
                    }
                    (count, false) => {
                        self.arrivals(Some(count.unwrap_or(&Operand::Integer(1))), None)?
                    }
                };
                if space == Space::Cluster && *target != Operand::Name("_".to_string()) {
                    return self.error(format!(
                        "`{}` gives no state of another block's barrier: write `_`",
                        i.opcode
                    ));
                }
                let operation = if operation == "arrive" {
                    AtomicOperation::Arrive
                } else {
                    AtomicOperation::ArriveAndDrop
                };
                self.arrive(operation, Some(target), address, space, value)?;
            }
            "test_wait" | "try_wait" => self.wait(i, space, is("parity"))?,
            "pending_count" => {
                self.arity(i, 2)?;
                let state = self.source(&i.operands[1], STATE)?;
                let amount = self.constant(File::Words, Constant::Bits(PENDING))?;
                let mask = self.constant(File::Words, Constant::Bits((1 << PENDING) - 1))?;
                let pending = self.scratch(Fast::ShrU64, [state, amount, 0])?;
                let pending = self.scratch(Fast::U32FromU64, [pending, 0, 0])?;
                let d = self.destination(&i.operands[0], WORD)?;
                self.emit(Operation::Fast(Fast::AndU32), d, [pending, mask, 0, 0])?;
            }
            _ => return self.unsupported(&i.opcode),
        }
        Ok(Some(Class::Barrier))
    }

    /// `cp.async.mbarrier.arrive{.noinc}.shared.b64 [a]`: the thread arrives when its copies are complete. Without
    /// `.noinc` it first increments the pending arrivals, so that the count stays the same.
    pub(super) fn copies_arrive(&mut self, i: &Instruction, modifiers: &[&str]) -> Result<Class> {
        let (counted, space) = match modifiers {
            ["noinc", rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let space = match space {
            [] => Space::Generic,
            ["shared" | "shared::cta"] => Space::Shared,
            _ => return self.unsupported(&i.opcode),
        };
        self.arity(i, 1)?;
        self.emit(Operation::Copying(Copying::Wait(None)), 0, [0; 4])?;
        let count = Operand::Integer(u64::from(counted));
        let value = self.arrivals(Some(&count), None)?;
        self.arrive(AtomicOperation::Arrive, None, &i.operands[0], space, value)?;
        Ok(Class::Barrier)
    }

    /// Bytes come to a barrier: at this address, or with `ranks` in each of these blocks of the cluster.
    pub(super) fn complete(
        &mut self,
        address: &Operand,
        space: Space,
        bytes: u16,
        ranks: Option<u16>,
    ) -> Result<()> {
        let bytes = self.scratch(Fast::U64FromU32, [bytes, 0, 0])?;
        self.arrive(AtomicOperation::Complete, None, address, space, bytes)?;
        if let Some(atomic) = self.program.atomics.last_mut() {
            atomic.ranks = ranks;
        }
        Ok(())
    }

    /// Whether an operand is a predicate register.
    pub(super) fn is_predicate(&mut self, operand: &Operand) -> bool {
        let Operand::Name(name) = operand else { return false };
        let register = |meaning| match meaning {
            Meaning::Register(Register { file, .. }) => Some(file),
            _ => None,
        };
        self.names.find(name).and_then(register) == Some(File::Predicates)
    }

    /// Arrivals in the low half, pending bytes in the high half.
    fn arrivals(&mut self, count: Option<&Operand>, bytes: Option<&Operand>) -> Result<u16> {
        let [count, bytes] = [count, bytes]
            .map(|operand| self.source(operand.unwrap_or(&Operand::Integer(0)), WORD));
        self.scratch(Fast::Pack32, [count?, bytes?, 0])
    }

    fn store_state(&mut self, address: &Operand, space: Space, state: u16) -> Result<()> {
        let access = self.state_access(address, space, state, Order::default())?;
        self.emit(Operation::Store(access), 0, [0; 4])
    }

    fn state_access(
        &mut self,
        address: &Operand,
        space: Space,
        register: u16,
        order: Order,
    ) -> Result<u32> {
        let (space, address, plus, uniform) = self.address(address, space)?;
        let strong = order != Order::default();
        self.program.accesses.push(Access {
            space,
            cell: Cell::B64,
            count: 1,
            file: File::Doubles,
            data: [register, 0, 0, 0, 0, 0, 0, 0],
            dropped: 0,
            address,
            plus,
            uniform,
            strong,
            past_l1: false,
            order,
            scope: Scope::Cluster,
        });
        Ok(self.program.accesses.len() as u32 - 1)
    }

    fn arrive(
        &mut self,
        operation: AtomicOperation,
        target: Option<&Operand>,
        address: &Operand,
        space: Space,
        value: u16,
    ) -> Result<()> {
        let result = match target {
            None => None,
            Some(Operand::Name(name)) if name == "_" => None,
            Some(operand) => Some([self.destination(operand, STATE)?; 8]),
        };
        let (space, address, plus, _) = self.address(address, space)?;
        self.emit_atomic(Atomic {
            space,
            operation,
            value: AtomicType::Barrier,
            count: 1,
            data: [value; 8],
            other: [value; 2],
            result,
            address,
            plus,
            order: ORDERED,
            scope: Scope::Cluster,
            ranks: None,
        })
    }

    /// `test_wait p, [a], state` and `test_wait.parity p, [a], parity`; `try_wait` may have a time limit as well.
    fn wait(&mut self, i: &Instruction, space: Space, parity: bool) -> Result<()> {
        let timed = i.operands.len() == 4 && i.opcode.contains("try_wait");
        self.arity(i, 3 + usize::from(timed))?;
        let now = self.scratch_register(File::Doubles)?;
        self.reads(Register { file: File::Doubles, index: now });
        let acquire = Order { acquire: true, release: false };
        let access = self.state_access(&i.operands[1], space, now, acquire)?;
        self.emit(Operation::Load(access), 0, [0; 4])?;
        let amount = self.constant(File::Words, Constant::Bits(63))?;
        let of_phase = |it: &mut Self, state: u16| {
            let top = it.scratch(Fast::ShrU64, [state, amount, 0])?;
            it.scratch(Fast::U32FromU64, [top, 0, 0])
        };
        let now = of_phase(self, now)?;
        let then = if parity {
            let parity = self.source(&i.operands[2], WORD)?;
            let one = self.constant(File::Words, Constant::Bits(1))?;
            self.scratch(Fast::AndU32, [parity, one, 0])?
        } else {
            let state = self.source(&i.operands[2], STATE)?;
            of_phase(self, state)?
        };
        let d = self.destination(&i.operands[0], PREDICATE)?;
        let differ = Operation::Compare(Compared::U32, Comparison::NotEqual);
        self.emit(differ, d, [now, then, 0, 0])
    }
}
