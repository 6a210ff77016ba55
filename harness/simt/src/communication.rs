//! Whether a kernel's blocks may see what others of the same launch do.
//!
//! Blocks run in any order. Where none sees what another does, that changes nothing; where one does, results and counts
//! depend on the order. This looks for what blocks communicate by: atomics in global memory of which the kernel uses the
//! result or whose order matters, loads there that other threads' stores are promised to reach, fences of the device.
//! Allocations from the device's heap are such a thing too: their addresses depend on the order.
//! Atomics without a result that may come in any order (`red.add`) are no such thing.

use std::collections::HashSet;

use crate::kernel::Kernel;
use crate::program::{Access, Atomic, AtomicOperation, Operation};
use crate::registers::{File, Register};
use crate::space::Space;

/// The first place in the program by which blocks may communicate.
pub(crate) fn place(kernel: &Kernel) -> Option<u32> {
    let program = &kernel.program;
    let used: HashSet<u16> =
        kernel.instructions().flat_map(|i| i.sources.iter().copied()).collect();
    let is_used = |atomic: &Atomic| {
        let file = if atomic.value.bytes() == 8 { File::Doubles } else { File::Words };
        atomic.result.is_some_and(|index| used.contains(&program.number(Register { file, index })))
    };
    let communicates = |operation: &Operation| match *operation {
        Operation::Load(k) => {
            let Access { space, strong, order, .. } = program.accesses[k as usize];
            is_global(space) && (strong || order.acquire)
        }
        Operation::Store(k) => {
            let Access { space, order, .. } = program.accesses[k as usize];
            is_global(space) && order.release
        }
        Operation::Atomic(k) => {
            let atomic = &program.atomics[k as usize];
            let orders = atomic.order.acquire || atomic.order.release;
            is_global(atomic.space)
                && (orders || !is_in_any_order(atomic.operation) || is_used(atomic))
        }
        Operation::Fence { of_device } => of_device,
        // The order of allocations decides addresses.
        Operation::Service(k) => program.calls[k as usize].allocates(),
        _ => false,
    };
    (0..).zip(&program.code).find(|(_, i)| communicates(&i.operation)).map(|(at, _)| at)
}

fn is_global(space: Space) -> bool {
    matches!(space, Space::Global | Space::Generic)
}

/// Whether several at one place leave the same there, whatever their order (but for the rounding of floating-point
/// sums).
fn is_in_any_order(operation: AtomicOperation) -> bool {
    use AtomicOperation::*;
    match operation {
        And | Or | Xor | Add | Min | Max => true,
        Exchange | Increment | Decrement | CompareExchange => false,
    }
}
