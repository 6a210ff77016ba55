//! From which parameters and variables an address may be computed.

use std::collections::{BTreeSet, HashMap};

use crate::instruction::{Access, Constant, Operation, Program};
use crate::kernel::Code;
use crate::registers::{File, Register};
use memory::{Memory, Storage, is_below_device_memory};
use ptx::Space;

/// Where a value may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    /// 8 bytes of the parameters at this offset.
    Parameter(u64),
    /// The address of the module's variable of this index.
    Variable(u32),
    /// 8 bytes of such a variable, of constant memory, at this offset.
    Constant(u32, u64),
}

/// A set of origins: one bit each. The highest bit is any origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Origins(u64);

impl Origins {
    const ANYTHING: Origins = Origins(1 << 63);

    pub(super) fn and(self, other: Origins) -> Origins {
        Origins(self.0 | other.0)
    }
}

/// Where each register's values may come from. Numbers of up to 32 bits that are read from memory are taken for
/// indices, wider ones for addresses.
#[derive(Debug, Default)]
pub(super) struct PointerOrigins {
    all: Vec<Origin>,
    registers: HashMap<u16, Origins>,
}

impl PointerOrigins {
    pub(super) fn new(kernel: &Code) -> PointerOrigins {
        let program = &kernel.program;
        let mut origins = PointerOrigins::default();
        let constants: HashMap<Register, Constant> = program.constants.iter().copied().collect();
        for (&register, &constant) in &constants {
            if let Constant::Address(variable, _) = constant {
                let origin = origins.add(Origin::Variable(variable));
                origins.registers.insert(program.number(register), origin);
            }
        }
        // What each instruction gives its destinations, whatever its sources are.
        let mut given = vec![Origins::default(); kernel.instructions().count()];
        for (at, instruction) in program.code.iter().enumerate() {
            let own = match instruction.operation {
                Operation::Load(k) => origins.of_load(&program.accesses[k as usize], &constants),
                Operation::Atomic(k) if program.atomics[k as usize].value.bytes() == 8 => {
                    Origins::ANYTHING
                }
                Operation::Atomic(_) | Operation::Store(_) => Origins::default(),
                Operation::Service(_) | Operation::Call(_) => Origins::ANYTHING,
                // An address may be an operand itself.
                _ => {
                    let o = instruction.operands;
                    let wide = [o.a, o.b, o.c, o.e].map(|index| {
                        let register = Register { file: File::Doubles, index };
                        match constants.get(&register) {
                            Some(Constant::Address(..)) => origins.of(program, register),
                            _ => Origins::default(),
                        }
                    });
                    wide.into_iter().fold(Origins::default(), Origins::and)
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
                let known = |register: &u16| origins.registers.get(register).copied();
                let from = sources.filter_map(known).fold(*given, Origins::and);
                for &to in &instruction.destinations {
                    let old = origins.registers.entry(to).or_default();
                    changed |= old.and(from) != *old;
                    *old = old.and(from);
                }
            }
        }
        origins
    }

    fn add(&mut self, origin: Origin) -> Origins {
        let known = self.all.iter().position(|it| *it == origin);
        let index = known.unwrap_or_else(|| {
            self.all.push(origin);
            self.all.len() - 1
        });
        if index < 63 { Origins(1 << index) } else { Origins::ANYTHING }
    }

    /// What a load brings.
    fn of_load(&mut self, access: &Access, constants: &HashMap<Register, Constant>) -> Origins {
        if access.cell.bytes() < 8 {
            return Origins::default();
        }
        let origin = |plus: u64| match (access.space, constants.get(&access.address)) {
            (Space::Param, Some(Constant::Bits(offset))) => {
                Some(Origin::Parameter(offset.wrapping_add(plus)))
            }
            (Space::Const, Some(&Constant::Address(variable, offset))) => {
                Some(Origin::Constant(variable, plus.wrapping_add_signed(offset)))
            }
            _ => None,
        };
        (0..u64::from(access.count)).fold(Origins::default(), |all, k| {
            let place = (8 * k).wrapping_add_signed(access.plus);
            all.and(origin(place).map_or(Origins::ANYTHING, |origin| self.add(origin)))
        })
    }

    /// Where an address may come from.
    pub(super) fn of(&self, program: &Program, address: Register) -> Origins {
        self.registers.get(&program.number(address)).copied().unwrap_or(Origins::ANYTHING)
    }

    /// What each origin points to in a launch.
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
        let value = |origin: &Origin| match *origin {
            Origin::Parameter(offset) => inside(parameters, offset),
            Origin::Variable(variable) => addresses.get(variable as usize).copied(),
            Origin::Constant(variable, offset) => {
                let index = memory.find(*addresses.get(variable as usize)?, 1)?;
                inside(&memory.allocations()[index].storage, offset)
            }
        };
        Targets(self.all.iter().map(|origin| Target::of(value(origin), memory)).collect())
    }
}

/// What an origin points to.
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
            Some((value, None)) if is_below_device_memory(value) => Target::Nothing,
            _ => Target::Anything,
        }
    }
}

/// What all origins of a kernel point to in one launch.
pub(super) struct Targets(Vec<Target>);

impl Targets {
    /// The allocations at which addresses with these origins may point; `None` for any.
    pub(super) fn of(&self, set: Origins) -> Option<BTreeSet<usize>> {
        if set.and(Origins::ANYTHING) == set {
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
