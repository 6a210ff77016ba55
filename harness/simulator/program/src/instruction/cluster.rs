//! What blocks of a cluster do together.

use crate::registers::File;

/// What a thread does about its cluster (PTX ISA, "barrier.cluster", "mapa", "getctarank").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfCluster {
    /// `barrier.cluster.arrive`: the thread releases what it did before.
    Arrive,
    /// `barrier.cluster.arrive.relaxed`: it releases nothing.
    ArriveRelaxed,
    /// `barrier.cluster.wait`: the thread acquires what others released.
    Wait,
    /// `mapa`: `d` is the address that corresponds to `a` in the block of rank `b`.
    Map(ClusterAddress),
    /// `getctarank`: `d` is the rank of the block in whose memory the address `a` lies.
    Rank(ClusterAddress),
}

/// How an address of shared memory is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterAddress {
    /// 32 bits in the space `shared::cluster`.
    Word,
    /// 64 bits in the space `shared::cluster`.
    Double,
    /// A generic address, of 64 bits.
    Generic,
}

impl ClusterAddress {
    /// The file of its register.
    pub fn file(self) -> File {
        match self {
            ClusterAddress::Word => File::Words,
            ClusterAddress::Double | ClusterAddress::Generic => File::Doubles,
        }
    }
}
