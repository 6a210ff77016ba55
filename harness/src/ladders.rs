//! The ladders: the one list that names them. A ladder is added here, in one line, and to `Cargo.toml`
//! in another.

use ladder::Ladder;

/// Every ladder of the workbook, in the order in which it is read.
pub const LADDERS: &[&'static dyn Ladder] = &[
    &nbody_ladder::LADDER,
    &cpu_ladder::LADDER,
    &transpose_ladder::LADDER,
    &histogram_ladder::LADDER,
    &overlap_ladder::LADDER,
];

/// How many of them a bare run climbs: those that the book begins with.
pub const CLIMBED_BY_DEFAULT: usize = 2;
