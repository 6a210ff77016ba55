//! What bulk copies bring to shared memory, and when it lands.
//!
//! The copy engine brings bytes at any time and in any order, and then tells an `mbarrier` (PTX ISA, "Completion Mechanisms for
//! Asynchronous Copy Operations"). Where a kernel is verified, a copy reads when it begins, and what it brings lands some rounds
//! of its block later, as a seed draws. So whoever does not wait finds what was there before.

use super::cause::{Cause, Failure};
use super::context::Context;
use super::mbarrier::State;
use super::random::{STEP, mix};
use super::spaces::{Refused, Spaces, refuse, window};
use super::weak_access::Stores;
use memory::Storage;
use program::{Atomic, AtomicOperation};
use ptx::Space;

/// A copy is under way for at most two to the power of this rounds.
const LONGEST: u64 = 3;

/// A warp's copies that have not landed.
#[derive(Default)]
pub struct Landings {
    /// State of the random numbers.
    random: u64,
    under_way: Vec<Landing>,
}

/// A copy under way.
pub(super) struct Landing {
    /// The copy's instruction.
    at: u32,
    /// Rounds until it lands.
    rounds: u32,
    brought: Vec<Piece>,
    completion: Option<Completion>,
}

/// Bytes that come to an address, or of which the `mbarrier` there hears.
struct Piece {
    space: Space,
    address: u64,
    /// At most 8.
    bytes: u64,
    value: u64,
}

/// What `mbarrier`s hear of a copy.
struct Completion {
    /// Their addresses, how many bytes have come, and the parity of the phase in which the copy began.
    barriers: Vec<(Piece, bool)>,
    /// The same where memory is weak.
    weak: Option<Stores>,
}

impl Landing {
    /// Brings the low bytes of `value`.
    pub(super) fn bring(&mut self, (space, address): (Space, u64), bytes: u64, value: u64) {
        self.brought.push(Piece { space, address, bytes, value });
    }
}

impl Landings {
    /// A warp of a block begins.
    pub(super) fn begin(&mut self, seed: u64) {
        self.random = seed;
        self.under_way.clear();
    }

    /// Whether none is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// An instruction copies to shared memory.
    pub(super) fn copy(&mut self, at: u32) -> &mut Landing {
        self.random = self.random.wrapping_add(STEP);
        let rounds = 1 << (mix(self.random) % (LONGEST + 1));
        self.under_way.push(Landing { at, rounds, brought: Vec::new(), completion: None });
        let last = self.under_way.len() - 1;
        &mut self.under_way[last]
    }

    /// Whether an atomic completes the last copy.
    pub(super) fn expects(&self, atomic: &Atomic) -> bool {
        atomic.operation == AtomicOperation::Complete
            && self.under_way.last().is_some_and(|last| last.completion.is_none())
    }

    /// The last copy tells barriers at these addresses that so many bytes have come.
    pub(super) fn complete(
        &mut self,
        (spaces, local): (&Spaces, &Storage),
        space: Space,
        barriers: Vec<(u64, u64)>,
        weak: Option<Stores>,
    ) -> Result<(), Refused> {
        let Some(last) = self.under_way.last_mut() else { return Ok(()) };
        let mut all = Vec::new();
        for (address, value) in barriers {
            let piece = Piece { space, address, bytes: 8, value };
            let mut state = State::new(0);
            at_place(spaces, local, &piece, |it, offset| state = State::new(it.load(offset, 8)))?;
            if !state.has_begun() {
                return Err(Box::new((0, Cause::TooEarly)));
            }
            all.push((piece, state.parity()));
        }
        last.completion = Some(Completion { barriers: all, weak });
        Ok(())
    }
}

/// A round begins: copies of a warp land whose time has come. Whether any were under way.
pub(super) fn land(
    cx: &mut Context,
    (warp, local): (u32, &Storage),
    landings: &mut Landings,
) -> Result<bool, Box<Failure>> {
    if landings.is_empty() {
        return Ok(false);
    }
    let is_due = |it: &mut Landing| {
        it.rounds -= 1;
        it.rounds == 0
    };
    let due: Vec<Landing> = landings.under_way.extract_if(.., is_due).collect();
    for landing in due {
        let at = landing.at;
        lands(cx, local, landing).map_err(|refused| {
            let (lane, cause) = *refused;
            Box::new(Failure { cause, lane, warp, at })
        })?;
    }
    Ok(true)
}

fn lands(cx: &mut Context, local: &Storage, landing: Landing) -> Result<(), Refused> {
    for piece in landing.brought {
        at_place(&cx.spaces, local, &piece, |it, offset| {
            it.store(offset, piece.bytes, piece.value)
        })?;
    }
    let Some(Completion { barriers, weak }) = landing.completion else { return Ok(()) };
    let weak = weak.map(|it| it.prepare(cx));
    for (piece, parity) in barriers {
        let complete = |old| State::new(old).complete(piece.value).bits();
        let mut is_same = true;
        at_place(&cx.spaces, local, &piece, |it, offset| {
            is_same = State::new(it.update(offset, 8, complete)).parity() == parity;
        })?;
        // A copy of no bytes may come at any time.
        if !is_same && piece.value > 0 {
            let text = format!(
                "{} bytes of a copy come to an mbarrier whose phase has ended without them",
                piece.value
            );
            return Err(Box::new((0, Cause::Unannounced(text))));
        }
    }
    if let Some(weak) = weak {
        weak.end(cx);
    }
    Ok(())
}

fn at_place(
    spaces: &Spaces,
    local: &Storage,
    &Piece { space, address, bytes, .. }: &Piece,
    change: impl FnOnce(&Storage, u64),
) -> Result<(), Refused> {
    let refused = || refuse(spaces, 0, space, address, bytes, true);
    let found = window(spaces, local, space, address, true, &mut u32::MAX.clone());
    let found = found.ok_or_else(refused)?;
    change(found.storage, found.offset(0, address, bytes).ok_or_else(refused)?);
    Ok(())
}
