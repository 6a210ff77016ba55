//! What registers hold before the first instruction.

/// What a register holds before the first instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The same bits in every lane.
    Bits(u64),
    /// The address of the module's variable of this index, plus an offset.
    Address(u32, i64),
    /// The address of the shared variable at an offset, plus another.
    Shared(u64, i64),
    /// What the module's variable of this index holds, 8 bytes, when the launch begins: an object.
    Held(u32),
    /// The start of the launch's own shared memory, plus an offset.
    DynamicShared(i64),
    /// A special register that does not change while a block runs.
    Special(Special),
}

/// Half of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Half {
    /// Bits 0 to 31.
    Low,
    /// Bits 32 to 63.
    High,
}

/// Special registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Special {
    /// `%tid` of an axis.
    Thread(u8),
    /// `%ntid` of an axis.
    Threads(u8),
    /// `%ctaid` of an axis.
    Block(u8),
    /// `%nctaid` of an axis.
    Blocks(u8),
    /// `%laneid`
    Lane,
    /// A warp's lanes in groups of four: the group's number, and the lane's in it.
    Group,
    /// The lane's number in its group of four.
    InGroup,
    /// `%warpid`
    Warp,
    /// `%nwarpid`
    Warps,
    /// Lanes equal to, below, up to, from, above one's own.
    LaneMask(std::cmp::Ordering, bool),
    /// `%smid`
    Processor,
    /// `%nsmid`
    Processors,
    /// `%gridid`
    Grid,
    /// `%dynamic_smem_size`
    DynamicSharedBytes,
    /// `%total_smem_size`
    SharedBytes,
    /// `%clusterid` of an axis.
    Cluster(u8),
    /// `%nclusterid` of an axis.
    Clusters(u8),
    /// `%cluster_ctaid` of an axis.
    BlockOfCluster(u8),
    /// `%cluster_nctaid` of an axis.
    BlocksOfCluster(u8),
    /// `%cluster_ctarank`
    ClusterRank,
    /// `%cluster_nctarank`
    ClusterSize,
    /// `%is_explicit_cluster`: whether the launch names the shape of its clusters.
    IsExplicitCluster,
    /// Half of the address of what a cooperative launch is given for barriers of its grid; 0 in other launches.
    GridWorkspace(Half),
    /// Reads as 0: environment registers and the like.
    Zero,
}

impl Special {
    /// Whether blocks of a launch see different values.
    pub fn is_of_block(self) -> bool {
        matches!(
            self,
            Special::Block(_)
                | Special::Cluster(_)
                | Special::BlockOfCluster(_)
                | Special::ClusterRank
        )
    }

    /// Whether lanes of a warp may see different values.
    pub fn is_of_lane(self) -> bool {
        match self {
            Special::Thread(_)
            | Special::Lane
            | Special::Group
            | Special::InGroup
            | Special::LaneMask(..) => true,
            Special::Threads(_)
            | Special::Block(_)
            | Special::Blocks(_)
            | Special::Warp
            | Special::Warps
            | Special::Processor
            | Special::Processors
            | Special::Grid
            | Special::DynamicSharedBytes
            | Special::SharedBytes
            | Special::Cluster(_)
            | Special::Clusters(_)
            | Special::BlockOfCluster(_)
            | Special::BlocksOfCluster(_)
            | Special::ClusterRank
            | Special::ClusterSize
            | Special::IsExplicitCluster
            | Special::GridWorkspace(_)
            | Special::Zero => false,
        }
    }
}
