//! The ladder `groups`: values are added by key, and lanes of a warp that have the same key add together first: tiles,
//! groups of those that go on, groups of those that agree. Votes and matches say who belongs to which.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/groups/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Groups, Step};

/// The ladder.
pub static LADDER: Steps<Groups> =
    Steps::of("groups", &[ATOMICS, ALL, TILES_OF_4, TILES_OF_8, TILES_OF_16, COALESCED, MATCH_ANY]);

/// An atomic addition for each element.
const ATOMICS: Step =
    Step::first("01-atomics", "Atomics", "an atomic addition for each element", 256, ());

/// A warp in which all agree adds as one.
const ALL: Step = Step {
    needs: (7, 0), // votes of some lanes
    ..ATOMICS.then("02-all", "All", "warps vote whether all have the same key")
};

/// The same in tiles of four lanes.
const TILES_OF_4: Step = Step {
    code: Code::Cuda { file: "02-all", options: &["-DTILE=4"] },
    ..ALL.then("02x-tiles-of-4", "Tiles of 4", "tiles of 4 lanes vote")
};

/// The same in tiles of eight lanes.
const TILES_OF_8: Step = Step {
    name: "02x-tiles-of-8",
    title: "Tiles of 8",
    changes: "tiles of 8 lanes vote",
    code: Code::Cuda { file: "02-all", options: &["-DTILE=8"] },
    ..TILES_OF_4
};

/// The same in tiles of sixteen lanes.
const TILES_OF_16: Step = Step {
    name: "02x-tiles-of-16",
    title: "Tiles of 16",
    changes: "tiles of 16 lanes vote",
    code: Code::Cuda { file: "02-all", options: &["-DTILE=16"] },
    ..TILES_OF_4
};

/// Those that have a key form a group.
const COALESCED: Step = ALL.then(
    "03-coalesced",
    "Coalesced group",
    "the lanes that have a key are a group, and ask whether all keys match",
);

/// Those that have the same key form a group.
const MATCH_ANY: Step = COALESCED.then(
    "04-match-any",
    "Match any",
    "lanes with the same key are a group, wherever they are",
);
