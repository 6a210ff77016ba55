//! Whether a kernel's blocks may see what others of the same launch do.
//!
//! Blocks run in any order. Where none sees what another does, that changes nothing; where one does, results and counts
//! depend on the order. This looks for what blocks communicate by: atomics in global memory of which the kernel uses the
//! result or whose order matters, fences of the device, and loads there that other threads' stores are promised to reach,
//! if a kernel may store where they load. Allocations from the device's heap are such a thing too: their addresses depend
//! on the order. Atomics without a result that may come in any order (`red.add`) are no such thing.

mod origins;

use crate::instruction::{Access, Atomic, AtomicOperation, Operation};
use crate::kernel::Code;
use memory::{Memory, Storage};
use origins::{Origins, PointerOrigins, Targets};
use ptx::Space;
/// What blocks may communicate by, as far as the code says.
#[derive(Debug)]
pub struct Communication {
    /// The first place by which they do whatever the arguments are.
    certain: Option<u32>,
    /// Loads that other threads' stores are promised to reach: their places and numbers, and where they load.
    loads: Vec<(u32, u32, Origins)>,
    /// Where the kernel stores.
    stores: Origins,
    origins: PointerOrigins,
}

/// How the blocks of one launch communicate.
#[derive(Debug, Default)]
pub struct Between {
    /// The first place by which they may.
    pub place: Option<u32>,
    /// By number of the access: whether it loads what no thread of the launch writes, so that nobody waits for it.
    pub settled: Vec<bool>,
}

impl Communication {
    /// Of a kernel with this code.
    pub fn new(kernel: &Code) -> Communication {
        let program = &kernel.program;
        let used = kernel.used();
        let is_used = |atomic: &Atomic| {
            atomic.results().any(|register| used.contains(&program.number(register)))
        };
        let origins = PointerOrigins::new(kernel);
        let (mut certain, mut loads, mut stores) = (None, Vec::new(), Origins::default());
        for (at, instruction) in (0..).zip(&program.code) {
            let is_certain = match instruction.operation {
                Operation::Load(k) => {
                    let Access { space, strong, order, address, .. } = program.accesses[k as usize];
                    if is_global(space) && (strong || order.acquire) {
                        loads.push((at, k, origins.of(program, address)));
                    }
                    false
                }
                Operation::Store(k) => {
                    let Access { space, order, address, .. } = program.accesses[k as usize];
                    if is_global(space) {
                        stores = stores.and(origins.of(program, address));
                    }
                    is_global(space) && order.release
                }
                Operation::Atomic(k) => {
                    let atomic = &program.atomics[k as usize];
                    if is_global(atomic.space) {
                        stores = stores.and(origins.of(program, atomic.address));
                    }
                    let orders = atomic.order.acquire || atomic.order.release;
                    is_global(atomic.space)
                        && (orders || !is_in_any_order(atomic.operation) || is_used(atomic))
                }
                Operation::Fence { scope, .. } => scope.spans_blocks(),
                Operation::Service(k) => program.calls[k as usize].allocates(),
                _ => false,
            };
            certain = certain.or(is_certain.then_some(at));
        }
        Communication { certain, loads, stores, origins }
    }

    /// Whether they do whatever the arguments are.
    pub fn is_certain(&self) -> bool {
        self.certain.is_some()
    }

    /// Whether they may, if the arguments are such.
    pub fn is_possible(&self) -> bool {
        self.is_certain() || !self.loads.is_empty()
    }

    /// How they communicate in a launch with these arguments and memory.
    pub fn between(
        &self,
        kernel: &Code,
        parameters: &Storage,
        memory: &Memory,
        addresses: &[u64],
    ) -> Between {
        let mut settled = vec![false; kernel.program.accesses.len()];
        let mut place = self.certain;
        if !self.loads.is_empty() {
            let targets = self.origins.targets(parameters, memory, addresses);
            let stored = targets.of(self.stores);
            for &(at, access, from) in &self.loads {
                let loaded = targets.of(from);
                if Targets::may_meet(&stored, &loaded) {
                    place = Some(place.map_or(at, |place: u32| place.min(at)));
                } else {
                    // A generic address may be one of shared memory, of which this knows nothing.
                    settled[access as usize] =
                        kernel.program.accesses[access as usize].space == Space::Global;
                }
            }
        }
        Between { place, settled }
    }
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
        // An `mbarrier` is in shared memory.
        Arrive | ArriveAndDrop | Complete => false,
    }
}
