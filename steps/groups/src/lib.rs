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
pub const ATOMICS: Step =
    Step::first("01-atomics", "Atomics", "an atomic addition for each element", 256, ());

/// A warp in which all agree adds as one.
pub const ALL: Step = Step {
    name: "02-all",
    after: Some(ATOMICS.name),
    title: "All",
    changes: "warps vote whether all have the same key",
    code: Code::Cuda { file: "02-all", options: &[] },
    needs: (7, 0), // votes of some lanes
    ..ATOMICS
};

/// The same in tiles of four lanes.
pub const TILES_OF_4: Step = Step {
    name: "02x-tiles-of-4",
    detour: true,
    title: "Tiles of 4",
    changes: "tiles of 4 lanes vote",
    code: Code::Cuda { file: "02-all", options: &["-DTILE=4"] },
    after: Some(ALL.name),
    ..ALL
};

/// The same in tiles of eight lanes.
pub const TILES_OF_8: Step = Step {
    name: "02x-tiles-of-8",
    title: "Tiles of 8",
    changes: "tiles of 8 lanes vote",
    code: Code::Cuda { file: "02-all", options: &["-DTILE=8"] },
    ..TILES_OF_4
};

/// The same in tiles of sixteen lanes.
pub const TILES_OF_16: Step = Step {
    name: "02x-tiles-of-16",
    title: "Tiles of 16",
    changes: "tiles of 16 lanes vote",
    code: Code::Cuda { file: "02-all", options: &["-DTILE=16"] },
    ..TILES_OF_4
};

/// Those that have a key form a group.
pub const COALESCED: Step = Step {
    name: "03-coalesced",
    after: Some(ALL.name),
    title: "Coalesced group",
    changes: "the lanes that have a key are a group, and ask whether all keys match",
    code: Code::Cuda { file: "03-coalesced", options: &[] },
    ..ALL
};

/// Those that have the same key form a group.
pub const MATCH_ANY: Step = Step {
    name: "04-match-any",
    after: Some(COALESCED.name),
    title: "Match any",
    changes: "lanes with the same key are a group, wherever they are",
    code: Code::Cuda { file: "04-match-any", options: &[] },
    ..COALESCED
};
