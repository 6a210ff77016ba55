//! Arrays, launches and tree of the steps that sort bodies by keys of their places: bodies stay in that order, nodes are
//! numbered level by level, and a leaf has up to sixteen bodies.

use crate::memory::Downloaded;
use crate::step::Given::{self, Array as A, Bodies, Float, Int, Opening, Softening, TimeStep};
use crate::step::{Array, Blocks, Call, Host, Role, Sizes, Walk};
use crate::tree::{Cell, Child, Tree};

/// Errors of a cluster's forces at θ = 0.5: √(Σ|a−r|²/Σ|r|²).
const BY_SIZE: Walk = Walk::Other(7.5e-3);

/// By keys; a warp's lanes agree on each node.
pub const KEYS: Host = Host { arrays: ARRAYS, calls: &calls(BY_LANES), tree: read, walk: BY_SIZE };

/// By keys; 32 nodes at a time, and lists of what pulls.
pub const LISTS: Host = KEYS;

/// By an estimate of each node's error.
pub const BY_ERROR: Host = Host { calls: &calls(BY_ESTIMATE), ..KEYS };

/// Groups of bodies from a queue.
pub const GROUPS: Host = Host { calls: &queued(MOMENTS, FROM_QUEUE), ..KEYS };

/// The same with second moments.
pub const SECOND_MOMENTS: Host = Host { calls: &queued(ALL_MOMENTS, WITH_SECOND_MOMENTS), ..KEYS };

/// Bodies of a tile of the sort, and of the tree.
const TILES: [u64; 2] = [4096, 512];

/// Digits of a key, to base 8.
const LEVELS: u32 = 16;

/// Eight bits each.
const PASSES: u64 = 6;

/// Levels that there can be.
const DEPTHS: u64 = 32;

/// Words of a node.
const NODE: usize = 8;

/// Added to the number of bodies of a leaf.
const LEAF: u32 = 256;

/// Of a block of the sort; of the first kernels.
const DIGITS: u32 = 256;

/// Leaves are as many as bodies at most. A cell has 17 bodies at least, so there are no more than n / 17 on a level, of
/// at most 25 levels.
fn nodes(it: &Sizes) -> u64 {
    5 * it.n / 2 + 64
}

const ARRAYS: &[Array] = &[
    Array { name: "body", role: Role::PositionMass, words: |it| 4 * it.n },
    Array { name: "velocity", role: Role::Velocities, words: |it| 4 * it.n },
    Array { name: "acceleration", role: Role::Accelerations, words: |it| 4 * it.n },
    Array { name: "order", role: Role::Order, words: |it| it.n },
    Array { name: "sorted body", role: Role::Scratch, words: |it| 4 * it.n },
    Array { name: "sorted velocity", role: Role::Scratch, words: |it| 4 * it.n },
    Array { name: "sorted order", role: Role::Scratch, words: |it| it.n },
    Array { name: "strength", role: Role::Scratch, words: |it| it.n },
    Array { name: "boxes", role: Role::Scratch, words: |_| 6 * u64::from(DIGITS) },
    Array { name: "counter", role: Role::Scratch, words: counters },
    Array { name: "key", role: Role::Scratch, words: |it| 2 * it.n },
    Array { name: "place", role: Role::Scratch, words: |it| it.n },
    Array { name: "other key", role: Role::Scratch, words: |it| 2 * it.n },
    Array { name: "other place", role: Role::Scratch, words: |it| it.n },
    Array { name: "levels", role: Role::Scratch, words: |it| it.n.div_ceil(2) },
    Array { name: "number", role: Role::Scratch, words: |it| DEPTHS * it.n.div_ceil(TILES[1]) },
    Array { name: "totals", role: Role::Scratch, words: |_| DEPTHS },
    Array { name: "child", role: Role::Scratch, words: |it| nodes(it) + 1 },
    Array { name: "arrived", role: Role::Scratch, words: nodes },
    Array { name: "node", role: Role::Scratch, words: |it| 8 * nodes(it) },
    Array { name: "seconds", role: Role::Scratch, words: |it| 8 * nodes(it) },
    Array { name: "groups", role: Role::Scratch, words: |it| 2 * it.n },
];

fn counters(it: &Sizes) -> u64 {
    u64::from(DIGITS) * (PASSES + 1 + PASSES * it.n.div_ceil(TILES[0]))
}

const TREE_TILES: Blocks = Blocks::Of(|it| it.n.div_ceil(TILES[1]));

/// A pass of the sort, from one pair of arrays to the other.
const fn sort(given: &'static [Given]) -> Call {
    Call::new("sort", Blocks::Of(|it| it.n.div_ceil(TILES[0])), DIGITS, given)
}

macro_rules! pass {
    ($pass:literal, $key:literal, $place:literal, $key_out:literal, $place_out:literal) => {
        sort(&[Bodies, Int($pass), A($key), A($place), A($key_out), A($place_out), A("counter")])
    };
}

const BOX: Call =
    Call::new("box", Blocks::Fixed(DIGITS), 512, &[Bodies, A("body"), A("boxes"), A("counter")]);

const KEY: Call = Call::new(
    "keys",
    Blocks::Of(|it| it.n.div_ceil(DIGITS.into()).min(8 * it.multiprocessors)),
    DIGITS,
    &[Bodies, A("body"), A("boxes"), A("key"), A("place"), A("counter")],
);

const REORDER: Call = Call::new(
    "reorder",
    Blocks::OfBodies,
    256,
    &[
        Bodies,
        A("place"),
        A("body"),
        A("velocity"),
        A("order"),
        A("acceleration"),
        A("sorted body"),
        A("sorted velocity"),
        A("sorted order"),
        A("strength"),
    ],
);

const COUNT: Call =
    Call::new("count", TREE_TILES, 512, &[Bodies, A("key"), A("levels"), A("number")]);

const SCAN: Call =
    Call::new("scan", Blocks::Fixed(DEPTHS as u32), 1024, &[Bodies, A("number"), A("totals")]);

const LINK: Call = Call::new(
    "link",
    TREE_TILES,
    512,
    &[Bodies, A("levels"), A("number"), A("totals"), A("node"), A("child"), A("arrived")],
);

const MOMENTS: Call = Call::new(
    "moments",
    Blocks::Of(|it| nodes(it).div_ceil(256).min(8 * it.multiprocessors)),
    256,
    &[A("sorted body"), A("totals"), A("child"), A("arrived"), A("node")],
);

const ALL_MOMENTS: Call = Call {
    given: &[A("sorted body"), A("totals"), A("child"), A("arrived"), A("node"), A("seconds")],
    ..MOMENTS
};

const DIVIDE: Call = Call::new(
    "divide",
    Blocks::OfBodies,
    256,
    &[Bodies, Softening, A("sorted body"), A("strength"), A("node"), A("counter"), A("groups")],
);

const BY_LANES: Call = Call::new(
    "force",
    Blocks::OfBodies,
    128,
    &[Bodies, Opening, Softening, A("sorted body"), A("node"), A("acceleration")],
);

/// The error accepted of a node, of the bodies' accelerations; it grows as θ⁴.
const ACCEPTED: Given = Given::Scaled { at_half: 7e-4, power: 4 };

const BY_ESTIMATE: Call = Call {
    given: &[
        Bodies,
        Opening,
        Softening,
        ACCEPTED,
        A("sorted body"),
        A("strength"),
        A("node"),
        A("acceleration"),
    ],
    ..BY_LANES
};

/// As many blocks as multiprocessors keep at once, but no more warps than bodies.
const FROM_QUEUE: Call = Call::new(
    "force",
    Blocks::Of(|it| it.n.div_ceil(4).min(10 * it.multiprocessors)),
    128,
    &[
        Bodies,
        Opening,
        Softening,
        ACCEPTED,
        A("sorted body"),
        A("strength"),
        A("node"),
        A("counter"),
        A("groups"),
        A("acceleration"),
    ],
);

/// The same of a node with its second moments; it grows as θ³. Of one without, a fifth.
const WITH_SECOND_MOMENTS: Call = Call {
    blocks: Blocks::Of(|it| it.n.div_ceil(4).min(6 * it.multiprocessors)),
    given: &[
        Bodies,
        Opening,
        Softening,
        Given::Scaled { at_half: 1.3e-3, power: 3 },
        Float(0.2),
        A("sorted body"),
        A("strength"),
        A("node"),
        A("seconds"),
        A("counter"),
        A("groups"),
        A("acceleration"),
    ],
    ..FROM_QUEUE
};

const ADVANCE: Call = Call::new(
    "advance",
    Blocks::OfBodies,
    256,
    &[
        Bodies,
        TimeStep,
        A("sorted body"),
        A("sorted velocity"),
        A("sorted order"),
        A("acceleration"),
        A("body"),
        A("velocity"),
        A("order"),
    ],
);

/// All launches of a time step.
const fn calls(force: Call) -> [Call; 15] {
    let [a, b, c, d, e, f] = SORT;
    [BOX, KEY, a, b, c, d, e, f, REORDER, COUNT, SCAN, LINK, MOMENTS, force, ADVANCE]
}

/// The same with groups.
const fn queued(moments: Call, force: Call) -> [Call; 16] {
    let [a, b, c, d, e, f] = SORT;
    [BOX, KEY, a, b, c, d, e, f, REORDER, COUNT, SCAN, LINK, moments, DIVIDE, force, ADVANCE]
}

const SORT: [Call; PASSES as usize] = [
    pass!(0, "key", "place", "other key", "other place"),
    pass!(1, "other key", "other place", "key", "place"),
    pass!(2, "key", "place", "other key", "other place"),
    pass!(3, "other key", "other place", "key", "place"),
    pass!(4, "key", "place", "other key", "other place"),
    pass!(5, "other key", "other place", "key", "place"),
];

/// Reads the tree from the arrays `node`, `totals`, `order` and `sorted body`.
///
/// # Errors
/// A node is none, or what it knows of its bodies is not what they are.
pub fn read(from: &Downloaded) -> Result<Tree, String> {
    let bodies = from.words("order").to_vec();
    let all = all_nodes(from)?;
    check_spreads(from, &all)?;
    let leaf = |k: usize| Child::Bodies { first: all[k].first, count: all[k].count - LEAF };
    // A leaf with one body is that body.
    let is_cell = |k: usize| k == 0 || all[k].count != LEAF + 1;
    let mut number = vec![0; all.len()];
    for k in 1..all.len() {
        number[k] = number[k - 1] + u32::from(is_cell(k - 1));
    }
    let mut held = vec![0; all.len()]; // bodies of each node
    for (k, node) in all.iter().enumerate().rev() {
        held[k] = match node.count.checked_sub(LEAF) {
            Some(count) => count,
            None => node.children().map(|child| held[child]).sum(),
        };
    }
    let cell = |k: usize| {
        let mut children = [Child::None; 8];
        match all[k].count > LEAF {
            true => children[0] = leaf(k),
            false => {
                for (to, child) in children.iter_mut().zip(all[k].children()) {
                    *to = if is_cell(child) { Child::Cell(number[child]) } else { leaf(child) };
                }
            }
        }
        Cell { mass: all[k].mass, centre: all[k].centre, bodies: held[k], children }
    };
    let cells = (0..all.len()).filter(|&k| is_cell(k)).map(cell).collect();
    Ok(Tree { cells, bodies, side: side(from), even_levels: LEVELS })
}

/// A node as it lies in memory.
#[derive(Debug, Clone, Copy)]
struct Node {
    centre: [f32; 3],
    mass: f32,
    spread: f32,
    first: u32,
    count: u32,
    parent: u32,
}

impl Node {
    fn children(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.first as usize;
        first..first + self.count as usize
    }
}

/// The nodes, of which each but the first one is a child of another, and leaves have the bodies that there are.
fn all_nodes(from: &Downloaded) -> Result<Vec<Node>, String> {
    let words = from.words("node");
    let total: u64 = from.words("totals").iter().map(|&level| u64::from(level)).sum();
    let count = usize::try_from(total).ok().filter(|&it| it >= 1 && it * NODE <= words.len());
    let room = words.len() / NODE;
    let count = count.ok_or_else(|| format!("the tree has {total} nodes, with room for {room}"))?;
    let node = |it: &[u32]| Node {
        centre: std::array::from_fn(|axis| f32::from_bits(it[axis])),
        mass: f32::from_bits(it[3]),
        spread: f32::from_bits(it[4]),
        first: it[5],
        count: it[6],
        parent: it[7],
    };
    let all: Vec<Node> = words[..count * NODE].chunks(NODE).map(node).collect();
    for (k, node) in all.iter().enumerate() {
        let (first, held) = (node.first as usize, node.count as usize);
        let is_leaf = node.count > LEAF && node.count <= LEAF + 16;
        let end = first.saturating_add(if is_leaf { held - LEAF as usize } else { held });
        let fits = match is_leaf {
            true => end <= from.n(),
            false => (1..=8).contains(&held) && first > k && end <= count,
        };
        if !fits {
            return Err(format!("node {k} has {held} parts from {first} on"));
        }
        if let Some(child) = (first..end).find(|&child| !is_leaf && all[child].parent != k as u32) {
            return Err(format!("node {child} of cell {k} has parent {}", all[child].parent));
        }
    }
    Ok(all)
}

/// How far off a spread may be, of itself.
const ROUNDING: f64 = 1e-4;

/// Holds the spread of each node against its bodies, in f64: the sum of masses times squared distances from its centre.
fn check_spreads(from: &Downloaded, all: &[Node]) -> Result<(), String> {
    let bodies = from.floats("sorted body");
    let body = |i: usize| -> [f64; 4] { std::array::from_fn(|k| bodies[4 * i + k].into()) };
    // Mass, centre and spread around it.
    let mut sums = vec![([0.0f64; 4], 0.0f64); all.len()];
    let extent = f64::from(side(from));
    for (k, node) in all.iter().enumerate().rev() {
        let parts: Vec<([f64; 4], f64)> = match node.count.checked_sub(LEAF) {
            Some(count) => {
                (node.first..node.first + count).map(|i| (body(i as usize), 0.0)).collect()
            }
            None => node.children().map(|child| sums[child]).collect(),
        };
        let mass: f64 = parts.iter().map(|(it, _)| it[3]).sum();
        let share = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let centre: [f64; 3] = std::array::from_fn(|axis| {
            parts.iter().map(|(it, _)| it[3] * it[axis]).sum::<f64>() * share
        });
        let spread = parts.iter().map(|(it, own)| {
            own + it[3] * (0..3).map(|axis| (it[axis] - centre[axis]).powi(2)).sum::<f64>()
        });
        let spread: f64 = spread.sum();
        sums[k] = ([centre[0], centre[1], centre[2], mass], spread);
        // Centres are rounded to what floats can hold at that place.
        let least = mass * (1e-6 * extent).powi(2);
        if !((f64::from(node.spread) - spread).abs() <= ROUNDING * spread + least) {
            return Err(format!(
                "node {k} has spread {:e}, and its bodies {spread:e}",
                node.spread
            ));
        }
    }
    Ok(())
}

/// The side of the cube around all bodies.
fn side(from: &Downloaded) -> f64 {
    let bodies = from.floats("sorted body");
    let extent = (0..3).map(|axis| {
        let along = || bodies.iter().skip(axis).step_by(4);
        let low = along().copied().fold(f32::INFINITY, f32::min);
        let high = along().copied().fold(f32::NEG_INFINITY, f32::max);
        f64::from(high) - f64::from(low)
    });
    extent.fold(2e-30, f64::max)
}
