//! Matrix instructions: `mma`, `wmma`, `wgmma`, `ldmatrix`, `stmatrix`, `movmatrix`.

mod fragment;
mod product;
mod rows;
mod warpgroup;
mod wmma;

use super::builder::{Builder, Result};
use super::opcode::WORD;
use crate::class::Class;
use crate::instruction::*;
use ptx::Space;
use ptx::ast::Instruction;

impl Builder<'_> {
    /// Matrix instructions; `None` for other instructions.
    pub(super) fn matrix(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let mut parts = i.opcode.split('.');
        let (base, rest) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
        Ok(Some(match base {
            "mma" => {
                self.product(i, &rest)?;
                Class::Tensor
            }
            "wmma" => match rest.first() {
                Some(&"mma") => {
                    self.tile_product(i, &rest[1..])?;
                    Class::Tensor
                }
                Some(&"load") => match self.tile_transfer(i, &rest[1..], false)? {
                    Space::Shared => Class::LoadShared,
                    _ => Class::LoadGlobal,
                },
                Some(&"store") => match self.tile_transfer(i, &rest[1..], true)? {
                    Space::Shared => Class::StoreShared,
                    _ => Class::StoreGlobal,
                },
                _ => return self.unsupported(&i.opcode),
            },
            "wgmma" => self.warpgroup(i, &rest)?,
            "movmatrix" => {
                if rest != ["sync", "aligned", "m8n8", "trans", "b16"] {
                    return self.lacks(format!(
                        "unsupported instruction `{}`: the only movmatrix is movmatrix.sync.aligned.m8n8.trans.b16",
                        i.opcode
                    ));
                }
                self.arity(i, 2)?;
                let a = self.source(&i.operands[1], WORD)?;
                let d = self.destination(&i.operands[0], WORD)?;
                self.emit(Operation::Matrix(Matrix::Transpose), d, [a, 0, 0, 0])?;
                Class::Shuffle
            }
            "ldmatrix" => {
                self.matrix_rows(i, &rest, false)?;
                Class::LoadShared
            }
            "stmatrix" => {
                self.matrix_rows(i, &rest, true)?;
                Class::StoreShared
            }
            _ => return Ok(None),
        }))
    }
}
