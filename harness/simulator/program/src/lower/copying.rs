//! Asynchronous copies into shared memory: `cp.async`, `cp.async.bulk`.

use super::atomics::reduction;
use super::builder::{Builder, Result};
use super::opcode::{PREDICATE, WORD};
use crate::class::Class;
use crate::instruction::*;
use ptx::Space;
use ptx::ast::{Instruction, Kind, Operand, Type};

/// The supported copies, for messages.
const COPIES: &str = "the simulator supports cp.async.ca and cp.async.cg.shared.global of 4, 8 or 16 bytes (.cg: of 16), \
                      commit_group, wait_group and wait_all, mbarrier.arrive, and cp.async.bulk and \
                      cp.reduce.async.bulk between shared::cta, shared::cluster and global";

/// By which a barrier hears of a copy.
const COMPLETION: &str = "mbarrier::complete_tx::bytes";
const HALF_WORD: Type = Type { kind: Kind::Bits, bits: 16 };

/// Between which spaces a bulk copy goes, and whether a barrier hears of it.
struct Places {
    to: Space,
    from: Space,
    completes: bool,
}

impl Builder<'_> {
    /// Asynchronous copies; `None` for other instructions.
    pub(super) fn copying(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        if let ["cp", "reduce", "async", "bulk", rest @ ..] = parts.as_slice() {
            return self.bulk_reduction(i, rest).map(Some);
        }
        let ["cp", "async", rest @ ..] = parts.as_slice() else { return Ok(None) };
        let (copying, class) = match rest {
            ["commit_group"] => {
                self.arity(i, 0)?;
                (Copying::Commit, Class::Fence)
            }
            ["wait_all"] => {
                self.arity(i, 0)?;
                (Copying::Wait(None), Class::Fence)
            }
            ["wait_group"] => (Copying::Wait(Some(self.groups(i)?)), Class::Fence),
            ["mbarrier", "arrive", modifiers @ .., "b64"] => {
                return self.copies_arrive(i, modifiers).map(Some);
            }
            ["bulk", rest @ ..] => return self.bulk(i, rest).map(Some),
            [cached, "shared" | "shared::cta", "global", hints @ ..]
                if hints.iter().all(|hint| hint.starts_with("L2::")) =>
            {
                let copy = self.copy(i, cached, hints.contains(&"L2::cache_hint"))?;
                self.program.copies.push(copy);
                (Copying::Begin(self.program.copies.len() as u32 - 1), Class::LoadGlobal)
            }
            _ => return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode)),
        };
        self.emit(Operation::Copying(copying), 0, [0; 4])?;
        Ok(Some(class))
    }

    fn groups(&mut self, i: &Instruction) -> Result<u32> {
        self.arity(i, 1)?;
        let Operand::Integer(groups) = i.operands[0] else {
            return self.error(format!("`{}` needs a number of groups", i.opcode));
        };
        Ok(u32::try_from(groups).unwrap_or(u32::MAX))
    }

    /// `cp.async.ca.shared.global [to], [from], bytes{, read or ignored}{, policy}`.
    fn copy(&mut self, i: &Instruction, cached: &str, hinted: bool) -> Result<AsyncCopy> {
        let count = i.operands.len() - usize::from(hinted).min(i.operands.len());
        let (to, from, bytes, part) = match &i.operands[..count] {
            [to, from, Operand::Integer(bytes @ (4 | 8 | 16)), rest @ ..] if rest.len() <= 1 => {
                (to, from, *bytes, rest.first())
            }
            _ => return self.lacks(format!("unsupported operands of `{}`: {COPIES}", i.opcode)),
        };
        if !(cached == "ca" || cached == "cg" && bytes == 16) {
            return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode));
        }
        let (_, to, to_plus, _) = self.address(to, Space::Shared)?;
        let (_, from, from_plus, _) = self.address(from, Space::Global)?;
        let part = match part {
            None => Part::Whole,
            Some(Operand::Integer(read)) if *read > bytes => {
                return self.error(format!("`{}` reads at most {bytes} bytes", i.opcode));
            }
            Some(operand) if self.is_predicate(operand) => {
                Part::Unless(self.source(operand, PREDICATE)?)
            }
            Some(operand) => Part::Bytes(self.source(operand, WORD)?),
        };
        Ok(AsyncCopy { to, to_plus, from, from_plus, bytes, past_l1: cached == "cg", part })
    }

    /// `cp.async.bulk.to.from{.completion} [to], [from], bytes{, [mbarrier]}{, policy}`, and waiting for them.
    fn bulk(&mut self, i: &Instruction, rest: &[&str]) -> Result<Class> {
        let shared = |word: &str| match word {
            "shared::cta" => Some(Space::Shared),
            "shared::cluster" => Some(Space::Cluster),
            _ => None,
        };
        let hints = |rest: &[&str]| rest.iter().all(|hint| *hint == "L2::cache_hint");
        let multicasts = rest.contains(&"multicast::cluster");
        let places = match rest {
            ["commit_group"] => {
                self.arity(i, 0)?;
                return self.sent(Groups::Close);
            }
            ["wait_group"] | ["wait_group", "read"] => {
                let left = self.groups(i)?;
                return self.sent(Groups::Wait(left));
            }
            ["prefetch", "L2", "global", rest @ ..] if hints(rest) => {
                return self.nothing(i, 2 + rest.len());
            }
            ["shared::cluster", "global", COMPLETION, "multicast::cluster", rest @ ..]
                if hints(rest) =>
            {
                Places { to: Space::Cluster, from: Space::Global, completes: true }
            }
            [to, "global", COMPLETION, rest @ ..] if shared(to).is_some() && hints(rest) => {
                let to = shared(to).unwrap_or(Space::Shared);
                Places { to, from: Space::Global, completes: true }
            }
            ["shared::cluster", "shared::cta", COMPLETION] => {
                Places { to: Space::Cluster, from: Space::Shared, completes: true }
            }
            ["global", "shared::cta", "bulk_group", rest @ ..] if hints(rest) => {
                Places { to: Space::Global, from: Space::Shared, completes: false }
            }
            _ => return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode)),
        };
        self.emit_bulk(i, places, (multicasts, None))
    }

    /// `cp.reduce.async.bulk.to.from.completion.operation.type [to], [from], bytes{, [mbarrier]}{, policy}`.
    fn bulk_reduction(&mut self, i: &Instruction, rest: &[&str]) -> Result<Class> {
        let places = match rest {
            ["shared::cluster", "shared::cta", COMPLETION, ..] => {
                Places { to: Space::Cluster, from: Space::Shared, completes: true }
            }
            ["global", "shared::cta", "bulk_group", ..] => {
                Places { to: Space::Global, from: Space::Shared, completes: false }
            }
            _ => return self.lacks(format!("unsupported instruction `{}`: {COPIES}", i.opcode)),
        };
        let words = rest[3..].strip_prefix(&["L2::cache_hint"]).unwrap_or(&rest[3..]);
        let Some(reduces) = reduction(words) else {
            return self.lacks(format!("unsupported operation of `{}`", i.opcode));
        };
        self.emit_bulk(i, places, (false, Some(reduces)))
    }

    fn emit_bulk(
        &mut self,
        i: &Instruction,
        places: Places,
        (multicasts, reduces): (bool, Option<(AtomicOperation, AtomicType)>),
    ) -> Result<Class> {
        let Places { to, from, completes } = places;
        self.hinted_arity(i, 3 + usize::from(completes) + usize::from(multicasts))?;
        let (to, to_register, to_plus, _) = self.address(&i.operands[0], to)?;
        let (_, from_register, from_plus, _) = self.address(&i.operands[1], from)?;
        let bytes = self.source(&i.operands[2], WORD)?;
        let ranks = multicasts.then(|| self.source(&i.operands[4], HALF_WORD)).transpose()?;
        self.program.bulk_copies.push(BulkCopy {
            to: (to, to_register, to_plus),
            from: (from, from_register, from_plus),
            bytes,
            ranks,
            reduces,
        });
        let index = self.program.bulk_copies.len() as u32 - 1;
        self.emit(Operation::Copying(Copying::Bulk(index)), 0, [0; 4])?;
        if completes {
            self.complete(&i.operands[3], places.to, bytes, ranks)?;
        }
        Ok(if to == Space::Global { Class::StoreGlobal } else { Class::LoadGlobal })
    }

    /// The simulator completes bulk copies at once: only who looks for hazards wants to know.
    fn sent(&mut self, what: Groups) -> Result<Class> {
        self.emit(Operation::Copying(Copying::Sent(what)), 0, [0; 4])?;
        Ok(Class::Fence)
    }

    fn nothing(&mut self, i: &Instruction, operands: usize) -> Result<Class> {
        self.arity(i, operands)?;
        self.emit(Operation::Nothing, 0, [0; 4])?;
        Ok(Class::Fence)
    }
}
