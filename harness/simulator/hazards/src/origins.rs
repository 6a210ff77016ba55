//! The arrays in shared memory from which addresses are computed.
//!
//! An address starts from the name of an array and passes through moves, additions and selects. An address that is
//! computed otherwise, or from several names, has an unknown origin and is not checked.

use program::Kernel;
use program::alu::Fast;
use program::registers::{File, Register};
use program::{Constant, Copying, Matrix, Operation, Program};

/// Where a register's value may come from: one bit for each array, and two for everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Origin(u64);

/// Arrays that origins distinguish.
const ARRAYS: u32 = 62;
/// Index of the dynamic array among them.
pub(super) const DYNAMIC: u32 = ARRAYS - 1;

impl Origin {
    /// Not an address, or one of unknown origin.
    const NUMBER: Origin = Origin(1 << ARRAYS);
    /// Computed from addresses in a way that is not tracked.
    const UNKNOWN: Origin = Origin(1 << (ARRAYS + 1));

    fn array(bit: u32) -> Origin {
        Origin(1 << bit)
    }

    fn join(self, other: Origin) -> Origin {
        Origin(self.0 | other.0)
    }

    /// The arrays, if the value comes from nothing else.
    fn arrays(self) -> u64 {
        if self.0 >> ARRAYS == 0 { self.0 } else { 0 }
    }

    fn is_address(self) -> bool {
        self.0 & !Origin::NUMBER.0 != 0
    }

    /// An address plus an index is an address. If the origin of one is still open, so is that of the sum.
    fn plus(self, other: Origin) -> Origin {
        if self == Origin::default() || other == Origin::default() {
            return Origin::default();
        }
        match (self.is_address(), other.is_address()) {
            (true, true) => Origin::UNKNOWN,
            (true, false) => self,
            (false, true) => other,
            (false, false) => self.join(other),
        }
    }

    /// The difference of two addresses is a number.
    fn minus(self, other: Origin) -> Origin {
        if self == Origin::default() || other == Origin::default() {
            return Origin::default();
        }
        match (self.is_address(), other.is_address()) {
            (_, false) => self,
            (true, true) if self.arrays() != 0 && other.arrays() != 0 => Origin::NUMBER,
            (_, true) => Origin::UNKNOWN,
        }
    }

    /// The origin after any other instruction.
    fn hidden(self) -> Origin {
        if self.is_address() { Origin::UNKNOWN } else { self }
    }
}

/// How an instruction computes its result from its sources.
#[derive(Debug, Clone, Copy)]
enum How {
    /// One of the sources.
    Choice,
    Sum,
    Difference,
    /// `a * b + c`
    MultiplyAdd,
    Other,
}

struct Flow {
    to: u16,
    how: How,
    from: Vec<u16>,
}

/// For each instruction of a program the set of arrays, one of which its memory access must hit; 0 if unknown.
pub(super) fn origins(kernel: &Kernel) -> Vec<u64> {
    let program = kernel.program();
    let count = program.registers.iter().map(|&count| usize::from(count)).sum();
    let mut origins = vec![Origin::default(); count];
    for &(register, constant) in &program.constants {
        origins[usize::from(program.number(register))] = of_constant(program, constant);
    }
    let flows = flows(kernel);
    loop {
        let mut changes = false;
        for flow in &flows {
            let from = |k: usize| origins[usize::from(flow.from[k])];
            let all = || flow.from.iter().map(|&id| origins[usize::from(id)]);
            let new = match flow.how {
                How::Choice => all().fold(Origin::default(), Origin::join),
                How::Sum => from(0).plus(from(1)),
                How::Difference => from(0).minus(from(1)),
                How::MultiplyAdd => from(0).join(from(1)).hidden().plus(from(2)),
                How::Other => all().fold(Origin::NUMBER, |sum, it| sum.join(it.hidden())),
            };
            let old = &mut origins[usize::from(flow.to)];
            let sum = old.join(new);
            changes |= sum != std::mem::replace(old, sum);
        }
        if !changes {
            break;
        }
    }
    let arrays = |register: Register| origins[usize::from(program.number(register))].arrays();
    let code = program.code.iter().map(|instruction| address(program, instruction.operation));
    code.map(|address| address.map_or(0, arrays)).collect()
}

fn of_constant(program: &Program, constant: Constant) -> Origin {
    match constant {
        Constant::Shared(offset, _) => {
            let place = program.shared.iter().position(|array| array.offset == offset);
            match place {
                Some(index) if index < DYNAMIC as usize => Origin::array(index as u32),
                _ => Origin::UNKNOWN,
            }
        }
        Constant::DynamicShared(_) => Origin::array(DYNAMIC),
        Constant::Bits(_) | Constant::Address(..) | Constant::Held(_) | Constant::Special(_) => {
            Origin::NUMBER
        }
    }
}

fn flows(kernel: &Kernel) -> Vec<Flow> {
    let program = kernel.program();
    let mut flows = Vec::new();
    for (at, instruction) in (0..).zip(&program.code) {
        let Operation::Fast(fast) = instruction.operation else {
            let summary = kernel.instruction(at);
            let from = &summary.sources;
            let flow = |&to| Flow { to, how: How::Other, from: from.clone() };
            flows.extend(summary.destinations.iter().map(flow));
            continue;
        };
        let i = instruction.operands;
        let (inputs, output) = fast.signature();
        let register = |index, bits| {
            let file = match bits {
                0 => File::Predicates,
                64 => File::Doubles,
                _ => File::Words,
            };
            program.number(Register { file, index })
        };
        let mut from: Vec<u16> = inputs
            .iter()
            .zip([i.a, i.b, i.c, i.e])
            .map(|(element, index)| register(index, element.bits))
            .collect();
        let how = how(fast);
        if matches!(how, How::Choice) {
            // The selecting predicate is not a source of the value.
            from.truncate(2);
        }
        flows.push(Flow { to: register(i.d, output.bits), how, from });
    }
    flows
}

fn how(fast: Fast) -> How {
    use Fast::*;
    match fast {
        I64FromI32 | U64FromU32 | U32FromU64 => How::Choice,
        _ if fast.is_move() => How::Choice,
        // Compilers add to aligned addresses with `or`; `and` and `xor` align and swizzle within an array.
        AddU32 | AddU64 | OrU32 | OrU64 | AndU32 | AndU64 | XorU32 | XorU64 => How::Sum,
        SubU32 | SubU64 => How::Difference,
        MadU32 | MadWideU32 | MadWideI32 => How::MultiplyAdd,
        _ => How::Other,
    }
}

/// The address register of an access that may be to shared memory.
fn address(program: &Program, operation: Operation) -> Option<Register> {
    Some(match operation {
        Operation::Load(k) | Operation::Store(k) => program.accesses[k as usize].address,
        Operation::Atomic(k) => program.atomics[k as usize].address,
        Operation::Matrix(Matrix::Load(k) | Matrix::Store(k)) => {
            program.matrix_rows[k as usize].address
        }
        Operation::Copying(Copying::Begin(k)) => program.copies[k as usize].to,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Origin = Origin(1);
    const OTHER: Origin = Origin(2);

    #[test]
    fn an_index_keeps_the_array_and_a_mixture_is_unknown() {
        assert_eq!(ONE.plus(Origin::NUMBER).arrays(), 1);
        assert_eq!(Origin::NUMBER.plus(OTHER).arrays(), 2);
        assert_eq!(ONE.plus(OTHER).arrays(), 0);
        assert_eq!(ONE.minus(Origin::NUMBER).arrays(), 1);
        assert_eq!(Origin::NUMBER.minus(ONE).plus(OTHER).arrays(), 0);
        assert_eq!(ONE.minus(ONE).plus(OTHER).arrays(), 2, "a distance is an index");
        assert_eq!(ONE.join(OTHER).arrays(), 3, "either of them");
        assert_eq!(ONE.join(Origin::NUMBER).arrays(), 0, "perhaps an address from memory");
        assert_eq!(ONE.hidden().plus(Origin::NUMBER).arrays(), 0);
    }
}
