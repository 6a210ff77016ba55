//! What is verified of kernels alone: keys where each box has a block's bodies, their order where tiles of the sort wait for
//! each other, sums over more tiles than a block has threads, and levels that only many bodies at one place have.

use crate::defect::Defect;
use crate::downloaded::Downloaded;
use crate::inputs::{CELLS, CORNER, CORNERS, SORTED};
use crate::step::Alone;

/// Levels that there can be.
pub(crate) const DEPTHS: u64 = 32;

/// Bodies of a tile of the tree.
pub(super) const TILE: u64 = 512;

/// Bodies of a leaf at most.
const BUCKET: usize = 16;

/// Digits of a key, to base 8.
pub(super) const KEY_DIGITS: u32 = 16;

/// What the sums are verified with.
pub(crate) const TILES: &str = "the nodes of very many tiles";

/// What the levels are verified with.
pub(crate) const DEEP: &str = "the levels of very many bodies at three places";

/// Bodies of each of those places.
const TOGETHER: u64 = 100_003;

pub(super) const ALONE: &[Alone] = &[
    Alone {
        what: CORNERS,
        kernels: &["box", "keys", "sort"],
        n: 3 << 17, // with more counters of the sort than the kernel that clears them has threads
        multiprocessors: 16,
        hazards: false,
        before: &[],
        check: check_order,
    },
    ORDER,
    SUMS,
    LEVELS,
];

/// The same of the step with a forest, whose first kernel finds no box: it is known.
pub(super) const OF_FOREST: &[Alone] =
    &[Alone { kernels: &["begin", "keys", "sort"], ..ORDER }, SUMS, LEVELS];

const ORDER: Alone = Alone {
    what: SORTED,
    kernels: &["box", "keys", "sort"],
    n: 30_011,
    multiprocessors: 3,
    hazards: true,
    before: &[],
    check: check_order,
};

const SUMS: Alone = Alone {
    what: TILES,
    kernels: &["scan"],
    n: 1_000_003,
    multiprocessors: 1,
    hazards: false,
    before: &[("number", in_tile)],
    check: check_sums,
};

const LEVELS: Alone = Alone {
    what: DEEP,
    kernels: &["count"],
    n: 3 * TOGETHER, // their numbers have seven digits to base 8
    multiprocessors: 1,
    hazards: false,
    before: &[("key", at_three_places)],
    check: check_levels,
};

/// Nodes of a level in a tile, by the place of their number: any, less than there are bodies.
fn in_tile(place: usize) -> u32 {
    (place as u32).wrapping_mul(0x9e37_79b1) >> 24
}

/// Words of keys: bodies are at three places, in their order.
fn at_three_places(word: usize) -> u32 {
    let place = word as u64 / 2 / TOGETHER;
    if word.is_multiple_of(2) { 0x2545_f491_u32.wrapping_mul(place as u32) } else { place as u32 }
}

/// Holds the levels of the nodes that begin with each body, and their numbers in each tile, against those of the same keys.
fn check_levels(from: &Downloaded) -> Result<(), Defect> {
    let n = from.n();
    let place = |body: usize| body as u64 / TOGETHER;
    let key = |body: usize| {
        let words = [1, 0].map(|word| u64::from(at_three_places(2 * body + word)));
        words[0] << 32 | words[1]
    };
    let number_digits = (n as u32 - 1).ilog(8) + 1;
    let shared = |i: usize, j: usize| match place(i) == place(j) {
        true => (KEY_DIGITS + number_digits) as i32 - ((i ^ j) as u32).ilog(8) as i32 - 1,
        false => KEY_DIGITS as i32 - (key(i) ^ key(j)).ilog(8) as i32 - 1,
    };
    let window = |first: usize| match first + BUCKET < n {
        true => shared(first, first + BUCKET),
        false => -1,
    };
    let tiles = n.div_ceil(TILE as usize);
    let mut number = vec![0; DEPTHS as usize * tiles];
    let levels = from.words("levels");
    for body in 0..n {
        let top = if body == 0 { 0 } else { shared(body - 1, body) + 1 };
        let leaf = (body.saturating_sub(BUCKET)..=body).map(window).max().unwrap_or(-1) + 1;
        let word = levels[body / 2] >> (16 * (body % 2));
        let found = [word & 0xff, word >> 8 & 0xff];
        if found != [top as u32, leaf as u32] {
            return Err(Defect(format!(
                "the nodes that begin with body {body} are of levels {top} to {leaf} (none if that is less), and the kernel \
                 says {} to {}",
                found[0], found[1]
            )));
        }
        (top..=leaf).for_each(|level| number[level as usize * tiles + body / TILE as usize] += 1);
    }
    match number.iter().zip(from.words("number")).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => Err(Defect(format!(
            "{} nodes of level {} begin in tile {}, and the kernel says {}",
            number[at],
            at / tiles,
            at % tiles,
            from.words("number")[at]
        ))),
    }
}

/// Holds the sums of each level against those of the tiles before each tile, and of all tiles.
fn check_sums(from: &Downloaded) -> Result<(), Defect> {
    let tiles = from.n().div_ceil(TILE as usize);
    for level in 0..DEPTHS as usize {
        let mut before = 0;
        for tile in 0..tiles {
            let found = from.words("number")[level * tiles + tile];
            if found != before {
                return Err(Defect(format!(
                    "{before} nodes of level {level} are in the tiles before tile {tile}, and the kernel says {found}"
                )));
            }
            before += in_tile(level * tiles + tile);
        }
        let total = from.words("totals")[level];
        if total != before {
            return Err(Defect(format!(
                "level {level} has {before} nodes, and the kernel says {total}"
            )));
        }
    }
    Ok(())
}

/// Bits of a key that tell the cells of the grid apart in which bodies are drawn, above those of smaller cells.
const OF_GRID: u32 = 3 * (16 - CELLS.ilog2());

/// Looks whether each body is there once, in the order of the keys, and whether bodies have the same first digits of their keys
/// where they are in the same cell, and only there. So it is only if the keys are those of places in the cube around all
/// bodies: in another one, a cell's bodies are in several cells.
fn check_order(from: &Downloaded) -> Result<(), Defect> {
    let keys = from.words("key").chunks_exact(2);
    let keys: Vec<u64> = keys.map(|key| u64::from(key[1]) << 32 | u64::from(key[0])).collect();
    let place = from.words("place");
    let mut all = place.to_vec();
    all.sort_unstable();
    if let Some(lost) = (0..).zip(&all).find(|(body, place)| body != *place) {
        return Err(Defect(format!(
            "body {} is not among those that are sorted, or another one twice",
            lost.0
        )));
    }
    if let Some(at) = keys.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(Defect(format!(
            "the key at {at} is greater than the next, after the last pass of the sort"
        )));
    }
    let bodies = from.floats("body");
    let cell = |&body: &u32| {
        let along = |axis: usize| {
            let x = bodies[4 * body as usize + axis];
            ((x + CORNER) * (CELLS as f32 / (2.0 * CORNER))) as u64
        };
        // What is on a border belongs to the cell below: the last corner.
        (0..3).fold(0, |cell, axis| cell * CELLS + along(axis).min(CELLS - 1))
    };
    let distinct = |mut all: Vec<(u64, u64)>| {
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let digits = keys.iter().map(|key| key >> OF_GRID);
    let both: Vec<(u64, u64)> = digits.zip(place.iter().map(cell)).collect();
    let digits = distinct(both.iter().map(|it| (it.0, 0)).collect());
    let cells = distinct(both.iter().map(|it| (it.1, 0)).collect());
    let pairs = distinct(both);
    match digits == cells && pairs == cells {
        true => Ok(()),
        false => Err(Defect(format!(
            "bodies are in {cells} cells of a grid, and have {digits} keys there, in {pairs} pairs: the cube of the keys is not \
             the one around all bodies"
        ))),
    }
}
