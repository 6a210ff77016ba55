//! The names in a body and their meanings.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::instruction::{Half, Special};
use crate::registers::Register;
use ptx::Space;

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    Register(Register),
    /// A register of 128 bits: two consecutive registers of 64 bits, of which this is the low one.
    Wide(u16),
    /// A variable at an offset in its space: shared, local, or a kernel's parameters.
    Offset(Space, u64),
    /// A variable of the module in `.global` or `.const` memory, by index.
    Global(Space, u32),
    /// Dynamic shared memory.
    DynamicShared,
    /// A variable at an offset in the frame of the function being lowered.
    Frame(u64),
    /// A function of the file, by index.
    Function(u32),
    /// A label of the builder.
    Label(u32),
    /// The signature of an indirect call, by index in the builder.
    Signature(u32),
    /// The label list of an indirect branch.
    BranchTargets(u32),
}

/// Names by scope, innermost last.
#[derive(Debug, Default)]
pub struct Names {
    scopes: Vec<Scope>,
    /// Variables of the module that this kernel uses.
    module: HashMap<String, Meaning>,
}

#[derive(Debug, Default)]
struct Scope {
    names: HashMap<String, Meaning>,
    /// The scope of a function, in which names around its call are not visible.
    opaque: bool,
}

impl Names {
    pub fn enter(&mut self, opaque: bool) {
        self.scopes.push(Scope { opaque, ..Scope::default() });
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn leave_to(&mut self, depth: usize) {
        self.scopes.truncate(depth);
    }

    /// Defines a name in the innermost scope; `false` if it is already defined there.
    pub fn define(&mut self, name: String, meaning: Meaning) -> bool {
        match self.scopes.last_mut() {
            Some(scope) => scope.names.insert(name, meaning).is_none(),
            None => false,
        }
    }

    /// Defines a name of the module for the whole kernel, beyond the innermost scope.
    pub fn define_outermost(&mut self, name: String, meaning: Meaning) {
        self.module.insert(name, meaning);
    }

    pub fn find(&self, name: &str) -> Option<Meaning> {
        for scope in self.scopes.iter().rev() {
            if let Some(&meaning) = scope.names.get(name) {
                return Some(meaning);
            }
            if scope.opaque {
                break;
            }
        }
        self.module.get(name).copied()
    }
}

/// The special register of a name, with its width in bits.
pub fn special(name: &str) -> Option<(Special, u32)> {
    let (base, axis) = match name.rsplit_once('.') {
        Some((base, "x")) => (base, Some(0)),
        Some((base, "y")) => (base, Some(1)),
        Some((base, "z")) => (base, Some(2)),
        _ => (name, None),
    };
    let vector = match base {
        "%tid" => Some(Special::Thread as fn(u8) -> Special),
        "%ntid" => Some(Special::Threads as fn(u8) -> Special),
        "%ctaid" => Some(Special::Block as fn(u8) -> Special),
        "%nctaid" => Some(Special::Blocks as fn(u8) -> Special),
        "%clusterid" => Some(Special::Cluster as fn(u8) -> Special),
        "%nclusterid" => Some(Special::Clusters as fn(u8) -> Special),
        "%cluster_ctaid" => Some(Special::BlockOfCluster as fn(u8) -> Special),
        "%cluster_nctaid" => Some(Special::BlocksOfCluster as fn(u8) -> Special),
        _ => None,
    };
    if let (Some(make), Some(axis)) = (vector, axis) {
        return Some((make(axis), 32));
    }
    Some(match name {
        "%laneid" => (Special::Lane, 32),
        "%warpid" => (Special::Warp, 32),
        "%nwarpid" => (Special::Warps, 32),
        "%lanemask_eq" => (Special::LaneMask(Ordering::Equal, true), 32),
        "%lanemask_lt" => (Special::LaneMask(Ordering::Less, false), 32),
        "%lanemask_le" => (Special::LaneMask(Ordering::Less, true), 32),
        "%lanemask_gt" => (Special::LaneMask(Ordering::Greater, false), 32),
        "%lanemask_ge" => (Special::LaneMask(Ordering::Greater, true), 32),
        "%smid" => (Special::Processor, 32),
        "%nsmid" => (Special::Processors, 32),
        "%gridid" => (Special::Grid, 64),
        "%dynamic_smem_size" => (Special::DynamicSharedBytes, 32),
        "%total_smem_size" => (Special::SharedBytes, 32),
        "%cluster_ctarank" => (Special::ClusterRank, 32),
        "%cluster_nctarank" => (Special::ClusterSize, 32),
        "%is_explicit_cluster" => (Special::IsExplicitCluster, 1),
        "%aggr_smem_size" => (Special::SharedBytes, 32),
        "%pm0" | "%pm1" | "%pm2" | "%pm3" | "%pm4" | "%pm5" | "%pm6" | "%pm7" => {
            (Special::Zero, 32)
        }
        // Where the driver passes the address of the barrier of a cooperative launch.
        "%envreg1" => (Special::GridWorkspace(Half::High), 32),
        "%envreg2" => (Special::GridWorkspace(Half::Low), 32),
        _ if name
            .strip_prefix("%envreg")
            .is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 32)) =>
        {
            (Special::Zero, 32)
        }
        _ => return None,
    })
}

/// The width of a clock register.
pub fn clock(name: &str) -> Option<u32> {
    match name {
        "%clock" | "%clock_hi" | "%globaltimer_lo" | "%globaltimer_hi" => Some(32),
        "%clock64" | "%globaltimer" => Some(64),
        _ => None,
    }
}
