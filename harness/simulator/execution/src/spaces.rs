//! Where memory lies: ranges of addresses with storage behind them, and what to say where there is none.

use super::cause::Cause;
use super::mbarrier;
use super::peers::{Named, Peers};
use crate::fault::AccessError;
use crate::heap::Heap;
use memory::NearestAllocation;
use memory::{Memory, Storage};
use ptx::Space;
use ptx::space::{
    LOCAL_START, LOCAL_WINDOW, PARAM_WINDOW, RANK_BYTES, SHARED_WINDOW, WINDOW_BYTES,
};

/// A lane's access that was refused.
pub(crate) type Refused = Box<(usize, Cause)>;

/// A thread's part of local memory starts at a multiple of this.
const LOCAL_ALIGNMENT: u64 = 16;

/// What the threads of a block can access; local memory is each warp's.
pub struct Spaces<'a> {
    /// Global and constant memory.
    pub memory: &'a Memory,
    /// The heap from which kernels allocate, if there is one; it lies in one of the memory's allocations.
    pub(crate) heap: Option<&'a Heap>,
    pub(crate) parameters: &'a Storage,
    pub(crate) parameter_bytes: u64,
    /// Shared memory of the block.
    pub(crate) shared: Storage,
    /// Shared memory of the other blocks of its cluster.
    pub peers: Peers,
    /// Shared memory of each block of the launch, static and dynamic, bytes.
    pub shared_bytes: u64,
    /// Local memory of each thread, its stack included, bytes.
    pub local_bytes: u64,
}

impl Spaces<'_> {
    /// The parity of the current phase of the `mbarrier` at an offset of the block's own shared memory.
    pub fn parity(&self, offset: u64) -> bool {
        mbarrier::State::new(self.shared.load(offset, 8)).parity()
    }

    /// Distance between the local memories of two lanes.
    #[inline]
    pub fn local_stride(&self) -> u64 {
        self.local_bytes.next_multiple_of(LOCAL_ALIGNMENT)
    }
}

/// A range of addresses with memory behind it.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    pub(super) base: u64,
    pub(super) bytes: u64,
    pub(super) storage: &'a Storage,
    /// Where `base` lies in the storage.
    pub(super) start: u64,
    /// Distance between the lanes' own parts.
    pub(super) stride: u64,
}

impl<'a> Window<'a> {
    /// The place in the storage of a lane's access, if all of it is inside and it is aligned.
    #[inline(always)]
    pub(super) fn offset(&self, lane: usize, address: u64, bytes: u64) -> Option<u64> {
        let offset = address.wrapping_sub(self.base);
        (offset < self.bytes && bytes <= self.bytes - offset && address & (bytes - 1) == 0)
            .then(|| self.start + offset + lane as u64 * self.stride)
    }
}

/// The window that an address falls into, if that access is allowed there. `hint` remembers the allocation.
#[inline(always)]
pub(super) fn window<'a>(
    spaces: &'a Spaces,
    local: &'a Storage,
    space: Space,
    address: u64,
    write: bool,
    hint: &mut u32,
) -> Option<Window<'a>> {
    let shared = |base| Window {
        base,
        bytes: spaces.shared_bytes,
        storage: &spaces.shared,
        start: 0,
        stride: 0,
    };
    let own = |base| Window {
        base,
        bytes: spaces.local_bytes,
        storage: local,
        start: 0,
        stride: spaces.local_stride(),
    };
    let parameters = |base| Window {
        base,
        bytes: spaces.parameter_bytes,
        storage: spaces.parameters,
        start: 0,
        stride: 0,
    };
    let within = |base: u64| address.wrapping_sub(base) < WINDOW_BYTES;
    match space {
        Space::Shared => Some(shared(0)),
        Space::Cluster => of_cluster(spaces, 0, address),
        Space::Local => Some(own(LOCAL_START)),
        Space::Param => Some(parameters(0)),
        Space::Generic if within(SHARED_WINDOW) => {
            if address - SHARED_WINDOW < RANK_BYTES {
                Some(shared(SHARED_WINDOW))
            } else {
                of_cluster(spaces, SHARED_WINDOW, address)
            }
        }
        Space::Generic if within(LOCAL_WINDOW) => Some(own(LOCAL_WINDOW + LOCAL_START)),
        Space::Generic if within(PARAM_WINDOW) => Some(parameters(PARAM_WINDOW)),
        Space::Generic | Space::Global | Space::Const => {
            let all = spaces.memory.allocations();
            let allocation = match all.get(*hint as usize) {
                Some(known) if known.offset(address, 1).is_some() => known,
                _ => {
                    *hint = spaces.memory.find(address, 1)? as u32;
                    &all[*hint as usize]
                }
            };
            if write && allocation.read_only {
                return None;
            }
            let (mut base, mut bytes) = (allocation.address, allocation.bytes);
            if allocation.is_heap {
                (base, bytes) = spaces.heap?.block(address)?;
            }
            let start = base - allocation.address;
            Some(Window { base, bytes, storage: &allocation.storage, start, stride: 0 })
        }
    }
}

/// Where an address lies, as far as hardware treats places differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Global memory.
    Global,
    /// Shared memory.
    Shared,
    /// Local memory.
    Local,
    /// Constant memory.
    Constant,
    /// A kernel's parameters.
    Parameter,
}

/// Where an access of a space lies.
#[inline]
pub fn place(spaces: &Spaces, space: Space, address: u64) -> Place {
    let within = |base: u64| address.wrapping_sub(base) < WINDOW_BYTES;
    match space {
        Space::Shared | Space::Cluster => Place::Shared,
        Space::Local => Place::Local,
        Space::Param => Place::Parameter,
        Space::Const => Place::Constant,
        Space::Generic if within(SHARED_WINDOW) => Place::Shared,
        Space::Generic if within(LOCAL_WINDOW) => Place::Local,
        Space::Generic if within(PARAM_WINDOW) => Place::Parameter,
        Space::Generic if spaces.memory.is_read_only(address) => Place::Constant,
        Space::Generic | Space::Global => Place::Global,
    }
}

/// Where an address of `shared::cluster` lies; that space begins at `base`.
#[cold]
fn of_cluster<'a>(spaces: &'a Spaces, base: u64, address: u64) -> Option<Window<'a>> {
    let offset = address.wrapping_sub(base);
    let storage = match spaces.peers.named(offset) {
        Named::Own => &spaces.shared,
        Named::Peer(rank) => spaces.peers.shared[rank as usize].as_ref()?,
        Named::Exited(_) | Named::Nobody(_) => return None,
    };
    let base = base + offset / RANK_BYTES * RANK_BYTES;
    Some(Window { base, bytes: spaces.shared_bytes, storage, start: 0, stride: 0 })
}

/// The first address of the space in which an address lies, if that is `shared::cluster`.
fn base_of_cluster(space: Space, address: u64) -> Option<u64> {
    match space {
        Space::Cluster => Some(0),
        Space::Generic if address.wrapping_sub(SHARED_WINDOW) < WINDOW_BYTES => Some(SHARED_WINDOW),
        _ => None,
    }
}

/// Says why an access is refused.
#[cold]
pub(super) fn refuse(
    spaces: &Spaces,
    lane: usize,
    space: Space,
    address: u64,
    bytes: u64,
    write: bool,
) -> Refused {
    /// Addresses below this are null with an offset.
    const NULL_PAGE: u64 = 1 << 16;
    let is_global = matches!(space, Space::Global | Space::Generic | Space::Const);
    let of_cluster = base_of_cluster(space, address).map(|base| spaces.peers.named(address - base));
    let problem = if address & (bytes - 1) != 0 {
        AccessError::Misaligned
    } else if let Some(Named::Exited(_)) = of_cluster {
        AccessError::Exited
    } else if let Some(Named::Nobody(_)) = of_cluster {
        AccessError::NoBlock
    } else if is_global && address < NULL_PAGE {
        AccessError::Null
    } else if is_global && write && spaces.memory.is_read_only(address) {
        AccessError::ReadOnly
    } else if is_global && nearest_in_heap(spaces, address).is_some_and(|(_, freed)| freed) {
        AccessError::Freed
    } else {
        AccessError::OutOfBounds
    };
    Box::new((lane, Cause::Access { problem, write, space, bytes: bytes as u32, address }))
}

/// The block of the heap that is nearest below an address of the heap, and whether the address is in it and it is freed.
fn nearest_in_heap(spaces: &Spaces, address: u64) -> Option<(NearestAllocation, bool)> {
    spaces.heap.filter(|heap| heap.contains(address))?.nearest(address)
}

/// What is nearest to a refused address.
pub fn nearest(spaces: &Spaces, space: Space, address: u64) -> Option<NearestAllocation> {
    let named = |name: &str, address, bytes| {
        Some(NearestAllocation { name: name.to_string(), address, bytes })
    };
    let within = |base: u64| address.wrapping_sub(base) < WINDOW_BYTES;
    let local = spaces.local_bytes;
    if let Some(base) = base_of_cluster(space, address)
        && let Named::Peer(rank) | Named::Exited(rank) = spaces.peers.named(address - base)
    {
        let base = base + (address - base) / RANK_BYTES * RANK_BYTES;
        let name = format!("shared memory of the block of rank {rank}");
        return Some(NearestAllocation { name, address: base, bytes: spaces.shared_bytes });
    }
    match space {
        Space::Cluster => named("shared memory of the block", 0, spaces.shared_bytes),
        Space::Shared => named("shared memory of the block", 0, spaces.shared_bytes),
        Space::Local => named("local memory of the thread", LOCAL_START, local),
        Space::Param => named("parameters", 0, spaces.parameter_bytes),
        Space::Generic if within(SHARED_WINDOW) => {
            named("shared memory of the block", SHARED_WINDOW, spaces.shared_bytes)
        }
        Space::Generic if within(LOCAL_WINDOW) => {
            named("local memory of the thread", LOCAL_WINDOW + LOCAL_START, local)
        }
        _ => match nearest_in_heap(spaces, address) {
            Some((nearest, _)) => Some(nearest),
            None => spaces.memory.nearest(address),
        },
    }
}
