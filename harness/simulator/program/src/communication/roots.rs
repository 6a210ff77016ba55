//! From which parameters and variables an address may be computed.

use std::collections::{BTreeSet, HashMap};

use crate::instruction::{Access, Constant, Operation, Program};
use crate::kernel::Code;
use crate::registers::{File, Register};
use memory::{Memory, Storage};
use ptx::Space;

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Root {
    /// 8 bytes of the parameters at this offset.
    Parameter(u64),
    /// The address of the module's variable of this index.
    Variable(u32),
    /// 8 bytes of such a variable, of constant memory, at this offset.
    Constant(u32, u64),
}

/// Some roots: one bit each; the highest one for anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Set(u64);

impl Set {
    const ANYTHING: Set = Set(1 << 63);

    pub(super) fn and(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }
}

/// Where each register's values may come from. Numbers of up to 32 bits that are read from memory are taken for
/// indices, wider ones for addresses.
#[derive(Debug, Default)]
pub(super) struct PointerOrigins {
    all: Vec<Root>,
    registers: HashMap<u16, Set>,
}

impl PointerOrigins {
    pub(super) fn new(kernel: &Code) -> PointerOrigins {
        let program = &kernel.program;
        let mut roots = PointerOrigins::default();
        let constants: HashMap<Register, Constant> = program.constants.iter().copied().collect();
        for (&register, &constant) in &constants {
            if let Constant::Address(variable, _) = constant {
                let root = roots.add(Root::Variable(variable));
                roots.registers.insert(program.number(register), root);
            }
        }
        // What each instruction gives its destinations, whatever its sources are.
        let mut given = vec![Set::default(); kernel.instructions().count()];
        for (at, instruction) in program.code.iter().enumerate() {
            let own = match instruction.operation {
                Operation::Load(k) => roots.of_load(&program.accesses[k as usize], &constants),
                Operation::Atomic(k) if program.atomics[k as usize].value.bytes() == 8 => {
                    Set::ANYTHING
                }
                Operation::Atomic(_) | Operation::Store(_) => Set::default(),
                Operation::Service(_) | Operation::Call(_) => Set::ANYTHING,
                // An address may be an operand itself.
                _ => {
                    let o = instruction.operands;
                    let wide = [o.a, o.b, o.c, o.e].map(|index| {
                        let register = Register { file: File::Doubles, index };
                        match constants.get(&register) {
                            Some(Constant::Address(..)) => roots.of(program, register),
                            _ => Set::default(),
                        }
                    });
                    wide.into_iter().fold(Set::default(), Set::and)
                }
            };
            let given = &mut given[kernel.instruction_at[at] as usize];
            *given = given.and(own);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (instruction, given) in kernel.instructions().zip(&given) {
                let passes = !["ld", "atom", "tex", "suld"]
                    .iter()
                    .any(|name| instruction.opcode.split('.').next() == Some(name));
                let sources = instruction.sources.iter().filter(|_| passes);
                let known = |register: &u16| roots.registers.get(register).copied();
                let from = sources.filter_map(known).fold(*given, Set::and);
                for &to in &instruction.destinations {
                    let old = roots.registers.entry(to).or_default();
                    changed |= old.and(from) != *old;
                    *old = old.and(from);
                }
            }
        }
        roots
    }

    fn add(&mut self, root: Root) -> Set {
        let known = self.all.iter().position(|it| *it == root);
        let index = known.unwrap_or_else(|| {
            self.all.push(root);
            self.all.len() - 1
        });
        if index < 63 { Set(1 << index) } else { Set::ANYTHING }
    }

    /// What a load brings.
    fn of_load(&mut self, access: &Access, constants: &HashMap<Register, Constant>) -> Set {
        if access.cell.bytes() < 8 {
            return Set::default();
        }
        let root = |plus: u64| match (access.space, constants.get(&access.address)) {
            (Space::Param, Some(Constant::Bits(offset))) => {
                Some(Root::Parameter(offset.wrapping_add(plus)))
            }
            (Space::Const, Some(&Constant::Address(variable, offset))) => {
                Some(Root::Constant(variable, plus.wrapping_add_signed(offset)))
            }
            _ => None,
        };
        (0..u64::from(access.count)).fold(Set::default(), |all, k| {
            let place = (8 * k).wrapping_add_signed(access.plus);
            all.and(root(place).map_or(Set::ANYTHING, |root| self.add(root)))
        })
    }

    /// Where an address may come from.
    pub(super) fn of(&self, program: &Program, address: Register) -> Set {
        self.registers.get(&program.number(address)).copied().unwrap_or(Set::ANYTHING)
    }

    /// What the roots are in a launch.
    pub(super) fn targets(
        &self,
        parameters: &Storage,
        memory: &Memory,
        addresses: &[u64],
    ) -> Targets {
        let inside = |storage: &Storage, offset: u64| {
            let fits = offset.checked_add(8).is_some_and(|end| end <= storage.bytes());
            (fits && offset.is_multiple_of(8)).then(|| storage.load(offset, 8))
        };
        let value = |root: &Root| match *root {
            Root::Parameter(offset) => inside(parameters, offset),
            Root::Variable(variable) => addresses.get(variable as usize).copied(),
            Root::Constant(variable, offset) => {
                let index = memory.find(*addresses.get(variable as usize)?, 1)?;
                inside(&memory.allocations()[index].storage, offset)
            }
        };
        Targets(self.all.iter().map(|root| Target::of(value(root), memory)).collect())
    }
}

/// What a root points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// It is no address.
    Nothing,
    /// An allocation, by number.
    Allocation(usize),
    Anything,
}

impl Target {
    fn of(value: Option<u64>, memory: &Memory) -> Target {
        match value.map(|value| (value, memory.find(value, 1))) {
            Some((_, Some(index))) => Target::Allocation(index),
            // Addresses may point before or after what is meant.
            Some((value, None)) if memory.is_below(value) => Target::Nothing,
            _ => Target::Anything,
        }
    }
}

/// What all roots of a kernel point to in one launch.
pub(super) struct Targets(Vec<Target>);

impl Targets {
    /// The allocations at which addresses with these roots may point; `None` for any.
    pub(super) fn of(&self, set: Set) -> Option<BTreeSet<usize>> {
        if set.and(Set::ANYTHING) == set {
            return None;
        }
        let mut found = BTreeSet::new();
        for (index, target) in self.0.iter().enumerate().filter(|(k, _)| set.0 >> k & 1 != 0) {
            match target {
                Target::Nothing => {}
                Target::Allocation(number) => drop(found.insert(*number)),
                Target::Anything => return None,
            }
            debug_assert!(index < 63);
        }
        Some(found)
    }

    /// Whether a thread may store where another loads.
    pub(super) fn may_meet(
        stored: &Option<BTreeSet<usize>>,
        loaded: &Option<BTreeSet<usize>>,
    ) -> bool {
        match (stored, loaded) {
            (Some(stored), Some(loaded)) => !stored.is_disjoint(loaded),
            (None, _) => true,
            (Some(stored), None) => !stored.is_empty(),
        }
    }
}
