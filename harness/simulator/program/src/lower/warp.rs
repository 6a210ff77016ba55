//! Warp-level operations: shuffles, votes, matches, reductions.

use super::builder::{Builder, Result};
use super::opcode::{PREDICATE, WORD};
use crate::class::Class;
use crate::instruction::*;
use crate::registers::File;
use ptx::ast::{Instruction, Kind, Operand, Type};

/// Parses a kind of shuffle.
fn shuffle(word: &str) -> Option<Shuffle> {
    Some(match word {
        "up" => Shuffle::Up,
        "down" => Shuffle::Down,
        "bfly" => Shuffle::Butterfly,
        "idx" => Shuffle::Index,
        _ => return None,
    })
}

/// Parses a vote, and the type of its result.
fn vote(words: [&str; 2], negated: bool) -> Option<(ExchangeKind, Type)> {
    Some(match words {
        ["all", "pred"] => (ExchangeKind::All(negated), PREDICATE),
        ["any", "pred"] => (ExchangeKind::Any(negated), PREDICATE),
        ["uni", "pred"] => (ExchangeKind::Uniform(negated), PREDICATE),
        ["ballot", "b32"] => (ExchangeKind::Ballot(negated), WORD),
        _ => return None,
    })
}

/// Parses a reduction.
fn reduction(words: &[&str]) -> Option<Reduction> {
    Some(match words {
        ["add", "u32" | "s32"] => Reduction::Add,
        ["and", "b32"] => Reduction::And,
        ["or", "b32"] => Reduction::Or,
        ["xor", "b32"] => Reduction::Xor,
        ["min", "u32"] => Reduction::MinUnsigned,
        ["max", "u32"] => Reduction::MaxUnsigned,
        ["min", "s32"] => Reduction::MinSigned,
        ["max", "s32"] => Reduction::MaxSigned,
        [which @ ("min" | "max"), modifiers @ .., "f32"] => {
            let (absolute, nan) = match modifiers {
                [] => (false, false),
                ["abs"] => (true, false),
                ["NaN"] => (false, true),
                ["abs", "NaN"] => (true, true),
                _ => return None,
            };
            Reduction::Single { greatest: *which == "max", absolute, nan }
        }
        _ => return None,
    })
}

impl Builder<'_> {
    /// Warp-level operations; `None` for other instructions.
    pub(super) fn warp(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let parts: Vec<&str> = i.opcode.split('.').collect();
        match (parts.as_slice(), i.operands.as_slice()) {
            (["bar" | "barrier", "warp", "sync"], [members]) => {
                let members = Some(self.source(members, WORD)?);
                self.exchange(ExchangeKind::Synchronise, members, None, 0, [0; 4])?;
            }
            (["activemask", "b32"], [d]) => {
                let d = self.destination(d, WORD)?;
                self.exchange(ExchangeKind::ActiveMask, None, None, d, [0; 4])?;
            }
            (["elect", "sync"], [to, members]) => {
                let members = Some(self.source(members, WORD)?);
                let (d, second) = self.pair(to, WORD)?;
                self.exchange(ExchangeKind::Elect, members, second, d, [0; 4])?;
            }
            // Before compute capability 7.0 the active lanes took part.
            (["shfl", mode, "b32"] | ["shfl", "sync", mode, "b32"], [to, a, b, c, rest @ ..])
                if rest.len() == usize::from(parts[1] == "sync") =>
            {
                let Some(mode) = shuffle(mode) else { return self.unsupported(&i.opcode) };
                let [a, b, c] = [a, b, c].map(|o| self.source(o, WORD));
                let members = rest.first().map(|o| self.source(o, WORD)).transpose()?;
                let (d, second) = self.pair(to, WORD)?;
                let kind = ExchangeKind::Shuffle(mode);
                self.exchange(kind, members, second, d, [a?, b?, c?, 0])?;
            }
            (
                ["vote", "sync", mode, element]
                | ["vote", mode, "sync", element]
                | ["vote", mode, element],
                [d, a, rest @ ..],
            ) if rest.len() == parts.len() - 3 => {
                let (a, negated) = self.predicate_operand(a)?;
                let Some((kind, of)) = vote([mode, element], negated) else {
                    return self.unsupported(&i.opcode);
                };
                let members = rest.first().map(|o| self.source(o, WORD)).transpose()?;
                let d = self.destination(d, of)?;
                self.exchange(kind, members, None, d, [a, 0, 0, 0])?;
            }
            (["match", mode, "sync", width @ ("b32" | "b64")], [to, a, members]) => {
                let bits = if *width == "b64" { 64 } else { 32 };
                let a = self.source(a, Type { kind: Kind::Bits, bits })?;
                let members = self.source(members, WORD)?;
                let (d, second) = self.pair(to, WORD)?;
                let file = if bits == 64 { File::Doubles } else { File::Words };
                let kind = match *mode {
                    "any" => ExchangeKind::MatchAny(file),
                    "all" => ExchangeKind::MatchAll(file),
                    _ => return self.unsupported(&i.opcode),
                };
                self.exchange(kind, Some(members), second, d, [a, 0, 0, 0])?;
            }
            (["redux", "sync", words @ ..], [d, a, members]) => {
                let Some(kind) = reduction(words).map(ExchangeKind::Reduce) else {
                    return self.unsupported(&i.opcode);
                };
                let a = self.source(a, WORD)?;
                let members = self.source(members, WORD)?;
                let d = self.destination(d, WORD)?;
                self.exchange(kind, Some(members), None, d, [a, 0, 0, 0])?;
            }
            (["shfl" | "vote" | "match" | "redux" | "activemask" | "elect", ..], _) => {
                return self.unsupported(&i.opcode);
            }
            _ => return Ok(None),
        }
        Ok(Some(Class::Shuffle))
    }

    /// `d` or `d|p`.
    fn pair(&mut self, operand: &Operand, element: Type) -> Result<(u16, Option<u16>)> {
        let Operand::Pair(first, second) = operand else {
            return Ok((self.destination(operand, element)?, None));
        };
        let d = self.destination(&Operand::Name(first.clone()), element)?;
        let predicate = Type { kind: Kind::Predicate, bits: 0 };
        let second = self.destination(&Operand::Name(second.clone()), predicate)?;
        Ok((d, Some(second)))
    }

    fn exchange(
        &mut self,
        kind: ExchangeKind,
        members: Option<u16>,
        second: Option<u16>,
        d: u16,
        operands: [u16; 4],
    ) -> Result<()> {
        self.program.exchanges.push(Exchange { kind, members, second });
        let index = self.program.exchanges.len() as u32 - 1;
        self.emit(Operation::Exchange(index), d, operands)
    }
}
