//! Where the blocks of a cluster find each other's shared memory.

use memory::Storage;
use program::ClusterAddress;
use program::registers::{File, Operands, Registers, Value};
use ptx::space::{RANK_BYTES, SHARED_WINDOW};

/// The shared memory of the other blocks of a cluster, while one of them runs.
#[derive(Default)]
pub struct Peers {
    /// The rank of the block that runs.
    pub(crate) rank: u32,
    /// By rank: nothing for the block itself, and for those that have exited.
    pub(crate) shared: Vec<Option<Storage>>,
}

/// What is known of the block whose shared memory an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// The running block.
    Own,
    /// Another one of its cluster, by rank.
    Peer(u32),
    /// A block that has exited, by rank.
    Exited(u32),
    /// A rank that the cluster does not have.
    Nobody(u32),
}

impl Peers {
    /// Whose memory an address of `shared::cluster` names.
    pub fn named(&self, address: u64) -> Named {
        let Some(rank) = (address / RANK_BYTES).checked_sub(1) else { return Named::Own };
        let rank = u32::try_from(rank).unwrap_or(u32::MAX);
        match self.shared.get(rank as usize) {
            _ if rank == self.rank => Named::Own,
            Some(Some(_)) => Named::Peer(rank),
            Some(None) => Named::Exited(rank),
            None => Named::Nobody(rank),
        }
    }

    /// The blocks of a mask, one bit for each rank.
    pub(crate) fn of_mask(mask: u32) -> impl Iterator<Item = u32> {
        (0..16).filter(move |rank| mask >> rank & 1 != 0)
    }

    /// The address that corresponds to one of `shared::cluster` in the block of a rank.
    pub(crate) fn mapped(&self, address: u64, rank: u32) -> u64 {
        let offset = address % RANK_BYTES;
        if rank == self.rank { offset } else { offset + (u64::from(rank) + 1) * RANK_BYTES }
    }
}

/// `mapa`
pub(super) fn map(
    peers: &Peers,
    registers: &mut Registers,
    address: ClusterAddress,
    i: &Operands,
    mask: u32,
) {
    let ranks = *registers.word(i.b);
    let base = base(address);
    match address.file() {
        File::Doubles => {
            let a = *registers.double(i.a);
            let at = |lane: usize| base + peers.mapped(a[lane].wrapping_sub(base), ranks[lane]);
            u64::write(registers, i.d, mask, &std::array::from_fn(at));
        }
        _ => {
            let a = *registers.word(i.a);
            let at = |lane: usize| peers.mapped(a[lane].into(), ranks[lane]) as u32;
            u32::write(registers, i.d, mask, &std::array::from_fn(at));
        }
    }
}

/// `getctarank`
pub(super) fn rank(
    peers: &Peers,
    registers: &mut Registers,
    address: ClusterAddress,
    i: &Operands,
    mask: u32,
) {
    let a = match address.file() {
        File::Doubles => registers.double(i.a).map(|a| a.wrapping_sub(base(address))),
        _ => registers.word(i.a).map(u64::from),
    };
    let rank = |a: u64| match (a / RANK_BYTES).checked_sub(1) {
        Some(rank) => rank as u32,
        None => peers.rank,
    };
    u32::write(registers, i.d, mask, &a.map(rank));
}

fn base(address: ClusterAddress) -> u64 {
    if address == ClusterAddress::Generic { SHARED_WINDOW } else { 0 }
}
