//! Clusters of blocks: their barrier, and addresses in each other's shared memory.

use super::builder::{Builder, Result};
use super::opcode::WORD;
use crate::class::Class;
use crate::instruction::*;
use ptx::ast::{Instruction, Kind, Type};

impl Builder<'_> {
    /// `barrier.cluster`, `mapa`, `getctarank`; `None` for other instructions.
    pub(super) fn cluster(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        Ok(Some(match parts.as_slice() {
            ["barrier", "cluster", rest @ ..] => {
                self.arity(i, 0)?;
                let words = rest.strip_suffix(&["aligned"]).unwrap_or(rest);
                let operation = match words {
                    ["arrive"] | ["arrive", "release"] => OfCluster::Arrive,
                    ["arrive", "relaxed"] => OfCluster::ArriveRelaxed,
                    ["wait"] | ["wait", "acquire"] => OfCluster::Wait,
                    _ => return self.unsupported(&i.opcode),
                };
                self.program.meets_clusters = true;
                self.emit(Operation::Cluster(operation), 0, [0; 4])?;
                Class::Barrier
            }
            ["mapa", rest @ ..] => {
                self.arity(i, 3)?;
                let (address, element) = self.cluster_address(i, rest)?;
                let a = self.source(&i.operands[1], element)?;
                let b = self.source(&i.operands[2], WORD)?;
                let d = self.destination(&i.operands[0], element)?;
                self.emit(Operation::Cluster(OfCluster::Map(address)), d, [a, b, 0, 0])?;
                Class::Move
            }
            ["getctarank", rest @ ..] => {
                self.arity(i, 2)?;
                let (address, element) = self.cluster_address(i, rest)?;
                let a = self.source(&i.operands[1], element)?;
                let d = self.destination(&i.operands[0], WORD)?;
                self.emit(Operation::Cluster(OfCluster::Rank(address)), d, [a, 0, 0, 0])?;
                Class::Move
            }
            _ => return Ok(None),
        }))
    }

    /// `.shared::cluster.u32` and the like, and the type of such an address.
    fn cluster_address(&self, i: &Instruction, words: &[&str]) -> Result<(ClusterAddress, Type)> {
        let (address, bits) = match words {
            ["shared::cluster", "u32"] => (ClusterAddress::Word, 32),
            ["shared::cluster", "u64"] => (ClusterAddress::Double, 64),
            ["u64"] => (ClusterAddress::Generic, 64),
            _ => return self.unsupported(&i.opcode),
        };
        Ok((address, Type { kind: Kind::Unsigned, bits }))
    }
}
