//! What one instruction, one line or one launch did.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::Serialize;

/// Defines the counts and what is done with all of them alike.
macro_rules! counts {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What one instruction, one source line or one launch did. Exact.
        ///
        /// `global_sectors` + `texture_sectors` = `l1_hits` + `l2_hits` + `dram_sectors`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
        pub struct Counts {
            $($(#[$doc])+ pub $name: u64,)+
        }

        impl AddAssign for Counts {
            fn add_assign(&mut self, other: Counts) {
                $(self.$name += other.$name;)+
            }
        }

        impl Counts {
            /// Every count times `factor`, rounded.
            pub fn scaled(&self, factor: f64) -> Counts {
                Counts { $($name: (self.$name as f64 * factor).round() as u64),+ }
            }
        }
    };
}

counts! {
    /// Instructions issued by warps.
    warps,
    /// The same, times the threads active in each.
    threads,
    /// Branches issued, conditional or not.
    branches,
    /// Those at which the lanes of a warp parted.
    divergent,
    /// Loads, stores and atomics of warps in global memory.
    global_requests,
    /// Bytes that their active lanes asked for.
    global_bytes,
    /// Sectors of 32 bytes that they touched; each once a request.
    global_sectors,
    /// Of stores: lines of 128 bytes that they touched; each once a request.
    stored_lines,
    /// Samples, loads and stores of textures and surfaces by warps.
    texture_requests,
    /// Sectors of 32 bytes in which their texels lie; each once a request.
    texture_sectors,
    /// Passes of loads through the tags of the L1 cache: lines of a request whose numbers have equal last two bits come one
    /// after the other.
    l1_tags,
    /// Of these sectors: found in the multiprocessor's L1 cache.
    l1_hits,
    /// Of the others: found in the L2 cache.
    l2_hits,
    /// Of these: those that another load had brought just before, and that were still on their way from memory.
    l2_awaited,
    /// The rest, which memory itself serves (or takes, for stores).
    dram_sectors,
    /// Sectors that memory moves in addition: of those that it takes, the ones of which only a part was stored and that L2
    /// had not loaded, since the rest is read first; and those that L2 brings with one that it misses and nobody uses.
    dram_fills,
    /// Of stores: lines of 128 bytes in which such sectors lie.
    partial_lines,
    /// Loads and stores in local memory.
    local_requests,
    /// Sectors of 32 bytes that they touched.
    local_sectors,
    /// Loads, stores and atomics in shared memory.
    shared_requests,
    /// Bytes that their active lanes asked for.
    shared_bytes,
    /// Passes over the banks that they took; more than one a request where lanes want different words
    /// of a bank.
    shared_wavefronts,
    /// Lanes of atomic operations on the shared memory of another block of their cluster.
    cluster_atomics,
    /// Passes of loads and stores to the shared memory of another block of their cluster: for each sector of 32 bytes one, for
    /// two that a load of 128 bits touches.
    cluster_passes,
    /// Loads from constant memory.
    constant_requests,
    /// Passes that they took: different addresses within a warp come one after another.
    constant_wavefronts,
    /// Atomic operations issued by warps, wherever the memory.
    atomics,
    /// The same, times the threads active in each.
    atomic_lanes,
    /// The largest number of lanes at one address, summed over the operations: what is done one after
    /// another.
    atomic_same_address,
    /// Turns of matches: each value of `match.any` takes one, `match.all` one in all.
    match_turns,
    /// Barriers of a block that warps came to.
    barriers,
}

impl Add for Counts {
    type Output = Counts;

    fn add(mut self, other: Counts) -> Counts {
        self += other;
        self
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(counts: I) -> Counts {
        counts.fold(Counts::default(), Add::add)
    }
}
