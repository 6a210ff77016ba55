//! Registers of a kernel: declared ones, constants, and temporaries.

use super::builder::{Builder, Result};
use super::names::Meaning;
use crate::alu::Fast;
use crate::instruction::{Constant, Operation};
use crate::registers::{File, Register};
use ptx::ast::{Operand, Type};

/// Most registers of a kernel, over all register files.
const MOST_REGISTERS: u32 = 60_000;

/// The register file of a type.
pub(super) fn file_of(element: Type) -> File {
    match element.bits {
        0 => File::Predicates,
        64 => File::Doubles,
        _ => File::Words,
    }
}

impl Builder<'_> {
    pub(super) fn registers(
        &mut self,
        name: &str,
        count: Option<u32>,
        element: Type,
    ) -> Result<()> {
        let Some(count) = count else {
            let register = self.register(element)?;
            return self.define(name, register);
        };
        if count > MOST_REGISTERS {
            return self.error(format!("too many registers: {count}"));
        }
        for k in 0..count {
            let register = self.register(element)?;
            self.define(&format!("{name}{k}"), register)?;
        }
        Ok(())
    }

    /// A register of a type.
    fn register(&mut self, element: Type) -> Result<Meaning> {
        if element.bits < 128 {
            return Ok(Meaning::Register(self.temporary(file_of(element))?));
        }
        let low = self.temporary(File::Doubles)?.index;
        self.temporary(File::Doubles)?;
        Ok(Meaning::Wide(low))
    }

    /// Both halves of a register of 128 bits that is read.
    pub(super) fn wide_source(&mut self, operand: &Operand) -> Result<[u16; 2]> {
        let halves = self.wide(operand)?;
        for index in halves {
            self.reads(Register { file: File::Doubles, index });
        }
        Ok(halves)
    }

    /// Both halves of a register of 128 bits that is written.
    pub(super) fn wide_destination(&mut self, operand: &Operand) -> Result<[u16; 2]> {
        let halves = self.wide(operand)?;
        for index in halves {
            self.writes(Register { file: File::Doubles, index });
        }
        Ok(halves)
    }

    fn wide(&mut self, operand: &Operand) -> Result<[u16; 2]> {
        let Operand::Name(name) = operand else {
            return self.error("a register of 128 bits is needed here");
        };
        match self.meaning(name)? {
            Meaning::Wide(low) => Ok([low, low + 1]),
            _ => self.error(format!("`{name}` is not a register of 128 bits")),
        }
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

    /// Emits an operation of the fast table into a new register.
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
        let register = self.temporary(file)?;
        self.scratch[file as usize].0.push(register.index);
        self.program.scratch.push(register);
        Ok(register.index)
    }

    /// Emits an operation of the fast table into a scratch register.
    pub(super) fn scratch(&mut self, fast: Fast, [a, b, c]: [u16; 3]) -> Result<u16> {
        let d = self.scratch_register(file_of(fast.signature().1))?;
        self.emit(Operation::Fast(fast), d, [a, b, c, 0])?;
        Ok(d)
    }

    /// The register that holds the carry.
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
