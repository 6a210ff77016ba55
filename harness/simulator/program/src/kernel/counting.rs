//! A kernel's code without the arithmetic that affects no count.
//!
//! If only some blocks of a launch run, their results are of no use: they run only to be counted. The counts depend on
//! control flow and on addresses. Values that affect neither need not be computed, as long as none of them returns from
//! memory into one that does.

use std::collections::HashSet;

use super::code::{Code, Summary};
use crate::instruction::{ExchangeKind, Instruction, Matrix, OfCluster, Operation, Program};
use crate::registers::{File, Register};
use ptx::Space;

/// What an instruction is to those who only count; of what it consists of, the last of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// Computes registers from registers, and can be left out.
    Computes,
    /// The same between lanes: it also waits for them.
    Exchanges,
    /// Decides something by all that it reads.
    Decides,
    /// What it writes to registers may have been stored by a thread, or differs from run to run.
    Finds,
}

/// The kernel's code for launches of which only the counts matter, place by place as [`Program::code`]; `None` if what
/// threads store may decide what is counted.
pub fn code(kernel: &Code) -> Option<Vec<Instruction>> {
    let program = &kernel.program;
    let all: Vec<&Summary> = kernel.instructions().collect();
    let (roles, needed) = needed(kernel, &all)?;
    let mut code = program.code.clone();
    for (i, &index) in code.iter_mut().zip(&kernel.instruction_at) {
        let mut written = all[index as usize].destinations.iter();
        if roles[index as usize] == Role::Computes && !written.any(|it| needed.contains(it)) {
            i.operation = match i.operation {
                Operation::Matrix(_) => Operation::Matrix(Matrix::Together),
                _ => Operation::Nothing,
            };
        }
    }
    Some(code)
}

/// The roles of all instructions, and all registers whose values come to decisive ones; `None` if one of them may hold
/// what a thread stored.
fn needed(kernel: &Code, all: &[&Summary]) -> Option<(Vec<Role>, HashSet<u16>)> {
    let program = &kernel.program;
    let mut roles = vec![Role::Computes; all.len()];
    let mut needed = HashSet::new();
    for (i, &index) in program.code.iter().zip(&kernel.instruction_at) {
        let summary = all[index as usize];
        let own = role(program, i, summary)?;
        roles[index as usize] = roles[index as usize].max(own);
        needed.extend(decisive(program, i, summary, own));
    }
    let mut before = None;
    while before != Some(needed.len()) {
        before = Some(needed.len());
        for (summary, role) in all.iter().zip(&roles) {
            if summary.destinations.iter().any(|register| needed.contains(register)) {
                if *role == Role::Finds {
                    return None;
                }
                needed.extend(&summary.sources);
            }
        }
    }
    Some((roles, needed))
}

/// The role of one place of the program; `None` for calls, which are not followed.
fn role(program: &Program, i: &Instruction, summary: &Summary) -> Option<Role> {
    // Carries go through a register that no summary has.
    let carries = || {
        ["cc", "addc", "subc", "madc"]
            .iter()
            .any(|it| summary.opcode.split('.').any(|part| part == *it))
    };
    Some(match i.operation {
        Operation::Fast(_)
        | Operation::General(_)
        | Operation::Compare(..)
        | Operation::Predicate(_) => match carries() {
            true => Role::Decides,
            false => Role::Computes,
        },
        Operation::Nothing
        | Operation::Registers(_)
        | Operation::Products(_)
        | Operation::Cluster(OfCluster::Map(_) | OfCluster::Rank(_)) => Role::Computes,
        Operation::Matrix(Matrix::Multiply(_) | Matrix::Transpose | Matrix::Together) => {
            Role::Computes
        }
        // Nobody but the host writes there.
        Operation::Load(k)
            if matches!(program.accesses[k as usize].space, Space::Param | Space::Const) =>
        {
            Role::Decides
        }
        Operation::Exchange(k) => match program.exchanges[k as usize].kind {
            ExchangeKind::Shuffle(_) => Role::Exchanges,
            _ => Role::Decides,
        },
        Operation::Branch(_)
        | Operation::Exit
        | Operation::Trap
        | Operation::Barrier(_)
        | Operation::Cluster(_)
        | Operation::IsSpace(_)
        | Operation::ProxyFence(_)
        | Operation::AcquireMap
        | Operation::Fence { .. } => Role::Decides,
        Operation::Load(_)
        | Operation::Store(_)
        | Operation::Matrix(_)
        | Operation::Atomic(_)
        | Operation::Texture(_)
        | Operation::Copying(_)
        | Operation::Clock(_) => Role::Finds,
        Operation::Call(_) | Operation::Return | Operation::Service(_) | Operation::Stack(_) => {
            return None;
        }
    })
}

/// The predicate that switches a place of the program off.
fn guard(i: &Instruction) -> Option<Register> {
    i.guard.get().map(|(index, _)| Register { file: File::Predicates, index })
}

/// The registers whose values decide what one place of the program has counted.
fn decisive(program: &Program, i: &Instruction, summary: &Summary, role: Role) -> Vec<u16> {
    let with_guard = |register: Register| {
        guard(i).into_iter().chain([register]).map(|register| program.number(register)).collect()
    };
    let address = match i.operation {
        Operation::Load(k) | Operation::Store(k) => program.accesses[k as usize].address,
        Operation::Matrix(Matrix::Load(k) | Matrix::Store(k)) => {
            program.matrix_rows[k as usize].address
        }
        Operation::Exchange(k) if role == Role::Exchanges => {
            let members = program.exchanges[k as usize].members;
            let Some(index) = members else { return summary.sources.clone() };
            return with_guard(Register { file: File::Words, index });
        }
        _ if role == Role::Computes => return Vec::new(),
        _ => return summary.sources.clone(),
    };
    let is_constant = program.constants.iter().any(|(register, _)| *register == address);
    match is_constant || summary.sources.contains(&program.number(address)) {
        true => with_guard(address),
        // It is computed from them on the way.
        false => summary.sources.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    /// How many places of a kernel with this body are left out; `None` if it is executed whole.
    fn left_out(body: &str) -> Option<usize> {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\n\
             ld.global.f32 %f1, [%rd1];\n{body}\nret;\n}}\n"
        );
        let module = Module::parse("k.ptx", &text).expect("valid PTX");
        let kernel = module.kernel("k").expect("the kernel");
        let code = code(&kernel.code)?;
        let pairs = code.iter().zip(&kernel.program().code);
        Some(pairs.filter(|(one, all)| one.operation != all.operation).count())
    }

    #[test]
    fn arithmetic_that_decides_nothing_is_left_out() {
        let sum = "add.f32 %f2, %f1, %f1;mul.f32 %f3, %f2, %f1;st.global.f32 [%rd1], %f3;";
        assert_eq!(left_out(sum), Some(2));
        let counted = "mov.u32 %r1, 0;L:add.s32 %r1, %r1, 1;setp.lt.s32 %p1, %r1, 9;@%p1 bra L;";
        assert_eq!(left_out(counted), Some(0));
        assert_eq!(left_out(&format!("{counted}{sum}")), Some(2));
        let shuffled = "add.f32 %f2, %f1, %f1;shfl.sync.bfly.b32 %f3, %f2, 1, 31, -1;";
        assert_eq!(left_out(shuffled), Some(1));
    }

    #[test]
    fn what_was_stored_may_decide_nothing() {
        for body in [
            "setp.gt.f32 %p1, %f1, 0f00000000;@%p1 bra L;add.f32 %f2, %f1, %f1;L:",
            "mov.b32 %r1, %f1;mul.wide.u32 %rd2, %r1, 4;add.s64 %rd2, %rd1, %rd2;ld.global.u32 %r2, [%rd2];",
            "cvt.rzi.s32.f32 %r1, %f1;red.global.add.s32 [%rd1], %r1;",
            "setp.gt.f32 %p1, %f1, 0f00000000;vote.sync.ballot.b32 %r1, %p1, -1;",
        ] {
            assert_eq!(left_out(body), None, "{body}");
        }
    }
}
