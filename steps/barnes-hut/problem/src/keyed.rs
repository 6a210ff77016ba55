//! Arrays, launches and tree of the steps that sort bodies by keys of their places: bodies stay in that order, nodes are
//! numbered level by level, and a leaf has up to sixteen bodies.

pub(crate) mod alone;
pub mod forest;
mod nodes;

use crate::array::{Array, Role, Sizes};
use crate::step::Given::{self, Bodies, Float, Gpu, Gpus, Int, Opening, Softening, TimeStep};
use crate::step::{Blocks, Call, Exchange, Host, given};
use crate::values::ErrorLimit;
use crate::walk::Walk;
use alone::{ALONE, DEPTHS, TILE};
use nodes::read;

/// By keys; a warp's lanes agree on each node.
pub const KEYS: Host = Host {
    arrays: ARRAYS,
    calls: &calls(BY_LANES),
    tree: read,
    walks: &[Walk::BySize],
    in_graph: false,
    exchange: None,
    began_with: &[("sorted body", "body"), ("sorted velocity", "velocity")],
    alone: ALONE,
};

/// By keys; 32 nodes at a time, and lists of what pulls.
pub const LISTS: Host = KEYS;

/// By an estimate of each node's error.
pub const BY_ERROR: Host =
    Host { calls: &calls(BY_ESTIMATE), walks: &[Walk::ByError(ACCEPTED)], ..KEYS };

/// Groups of bodies from a queue.
pub const GROUPS: Host = Host {
    calls: &queued(MOMENTS, FROM_QUEUE),
    walks: &[Walk::OfGroups(|_| WARP, ACCEPTED)],
    ..KEYS
};

/// The same with second moments.
pub const SECOND_MOMENTS: Host = Host {
    calls: &queued(ALL_MOMENTS, WITH_SECOND_MOMENTS),
    walks: &[Walk::WithSecondMoments(|_| WARP, ACCEPTED_OF_SECOND, SHARE)],
    ..KEYS
};

/// The same with small groups where there are few bodies, and a graph.
pub const FEW: Host = Host {
    calls: &few(),
    walks: &[Walk::WithSecondMoments(largest_group, ACCEPTED_OF_SECOND, SHARE)],
    in_graph: true,
    ..SECOND_MOMENTS
};

/// The same for several GPUs, of which each walks for bodies of its own.
pub const DIVIDED: Host = Host {
    arrays: DIVIDED_ARRAYS,
    calls: DIVIDED_CALLS,
    exchange: Some(Exchange::Array { before: "collect" }),
    ..SECOND_MOMENTS
};

/// Accelerations, by GPUs.
const EXCHANGED: &str = "exchanged";

/// Bodies of a warp.
const WARP: u64 = 32;

/// Bodies of a tile of the sort, and of the tree.
const TILES: [u64; 2] = [4096, TILE];

/// Eight bits each.
const PASSES: u64 = 6;

/// Of a block of the sort; of the first kernels.
const DIGITS: u32 = 256;

/// Leaves are as many as bodies at most. A cell has 17 bodies at least, so there are no more than n / 17 on a level, of
/// at most 25 levels.
fn nodes(it: &Sizes) -> u64 {
    5 * it.n / 2 + 64
}

const ARRAYS: &[Array] = &joined::<{ COMMON.len() + 4 }>(
    COMMON,
    &[
        Array { name: "sorted body", role: Role::Tree, words: |it| 4 * it.n },
        Array { name: "node", role: Role::Tree, words: |it| 8 * nodes(it) },
        Array { name: "seconds", role: Role::Scratch, words: |it| 8 * nodes(it) },
        Array { name: "boxes", role: Role::Scratch, words: boxes },
    ],
);

/// All but those into which other GPUs may send something.
const COMMON: &[Array] = &[
    Array { name: "body", role: Role::PositionMass, words: |it| 4 * it.n },
    Array { name: "velocity", role: Role::Velocities, words: |it| 4 * it.n },
    Array { name: "acceleration", role: Role::Accelerations, words: |it| 4 * it.n },
    Array { name: "order", role: Role::Order, words: |it| it.n },
    Array { name: "sorted velocity", role: Role::Scratch, words: |it| 4 * it.n },
    Array { name: "sorted order", role: Role::Scratch, words: |it| it.n },
    Array { name: "strength", role: Role::Scratch, words: |it| it.n },
    Array { name: "counter", role: Role::Scratch, words: counters },
    Array { name: "key", role: Role::Scratch, words: |it| 2 * it.n },
    Array { name: "place", role: Role::Scratch, words: |it| it.n },
    Array { name: "other key", role: Role::Scratch, words: |it| 2 * it.n },
    Array { name: "other place", role: Role::Scratch, words: |it| it.n },
    Array { name: "levels", role: Role::Scratch, words: |it| it.n.div_ceil(2) },
    Array { name: "number", role: Role::Scratch, words: |it| DEPTHS * it.n.div_ceil(TILES[1]) },
    Array { name: "totals", role: Role::Tree, words: |_| DEPTHS },
    Array { name: "child", role: Role::Scratch, words: |it| nodes(it) + 1 },
    Array { name: "arrived", role: Role::Scratch, words: nodes },
    Array { name: "groups", role: Role::Scratch, words: |it| 2 * it.n },
];

/// The same with what GPUs exchange: `float4` for each body, whole warps on each GPU.
const DIVIDED_ARRAYS: &[Array] = &{
    let words = |it: &Sizes| 4 * WARP * it.gpus * it.n.div_ceil(WARP).div_ceil(it.gpus);
    let exchanged = Array { name: EXCHANGED, role: Role::Exchanged, words };
    joined::<{ ARRAYS.len() + 1 }>(ARRAYS, &[exchanged])
};

/// Some arrays and more.
const fn joined<const N: usize>(some: &[Array], more: &[Array]) -> [Array; N] {
    let mut all = [some[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < some.len() { some[at] } else { more[at - some.len()] };
        at += 1;
    }
    all
}

/// A box for each block of the first kernel.
pub(crate) fn boxes(_: &Sizes) -> u64 {
    6 * u64::from(DIGITS)
}

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
        sort(given!(Bodies, Int($pass); $key $place $key_out $place_out "counter"))
    };
}

const BOX: Call =
    Call::new("box", Blocks::Fixed(DIGITS), 512, given!(Bodies; "body" "boxes" "counter"));

const KEY: Call = Call::new(
    "keys",
    Blocks::Of(|it| it.n.div_ceil(DIGITS.into()).min(8 * it.multiprocessors)),
    DIGITS,
    given!(Bodies; "body" "boxes" "key" "place" "counter"),
);

const REORDER: Call = Call::new(
    "reorder",
    Blocks::OfBodies,
    256,
    given!(
        Bodies; "place" "body" "velocity" "order" "acceleration" "sorted body" "sorted velocity"
        "sorted order" "strength"
    ),
);

const COUNT: Call = Call::new("count", TREE_TILES, 512, given!(Bodies; "key" "levels" "number"));

const SCAN: Call =
    Call::new("scan", Blocks::Fixed(DEPTHS as u32), 1024, given!(Bodies; "number" "totals"));

const LINK: Call = Call::new(
    "link",
    TREE_TILES,
    512,
    given!(Bodies; "levels" "number" "totals" "node" "child" "arrived"),
);

const MOMENTS: Call = Call::new(
    "moments",
    Blocks::Of(|it| nodes(it).div_ceil(256).min(8 * it.multiprocessors)),
    256,
    given!(; "sorted body" "totals" "child" "arrived" "node"),
);

const ALL_MOMENTS: Call =
    Call { given: given!(; "sorted body" "totals" "child" "arrived" "node" "seconds"), ..MOMENTS };

const DIVIDE: Call = Call::new(
    "divide",
    Blocks::OfBodies,
    256,
    given!(Bodies, Softening; "sorted body" "strength" "node" "counter" "groups"),
);

/// Bodies of a group at most: the least power of two with which each warp of the walk has no more than two groups, but 8
/// at least, since small groups look at the same nodes again and again.
fn largest_group(it: &Sizes) -> u64 {
    let warps = 4 * 6 * it.multiprocessors.max(1);
    it.n.div_ceil(2 * warps).next_power_of_two().clamp(8, 32)
}

const DIVIDE_SMALL: Call = Call {
    given: given!(
        Bodies, Softening; "sorted body" "strength" "node" "counter" "groups";
        Given::Count(largest_group)
    ),
    ..DIVIDE
};

const BY_LANES: Call = Call::new(
    "force",
    Blocks::OfBodies,
    128,
    given!(Bodies, Opening, Softening; "sorted body" "node" "acceleration"),
);

/// The error accepted of a node, of the bodies' accelerations; it grows as θ⁴.
const ACCEPTED: ErrorLimit = ErrorLimit { at_half: 7e-4, power: 4 };

/// The same of a node with its second moments; it grows as θ³.
const ACCEPTED_OF_SECOND: ErrorLimit = ErrorLimit { at_half: 1.3e-3, power: 3 };

/// What of it is accepted of a node without them.
const SHARE: f32 = 0.2;

const BY_ESTIMATE: Call = Call {
    given: given!(
        Bodies, Opening, Softening, Given::Limit(ACCEPTED); "sorted body" "strength" "node"
        "acceleration"
    ),
    ..BY_LANES
};

/// As many blocks as multiprocessors keep at once, but no more warps than bodies.
const FROM_QUEUE: Call = Call::new(
    "force",
    Blocks::Of(|it| it.n.div_ceil(4).min(10 * it.multiprocessors)),
    128,
    given!(
        Bodies, Opening, Softening, Given::Limit(ACCEPTED); "sorted body" "strength" "node"
        "counter" "groups" "acceleration"
    ),
);

/// The same with second moments.
const WITH_SECOND_MOMENTS: Call = Call {
    blocks: Blocks::Of(|it| it.n.div_ceil(4).min(6 * it.multiprocessors)),
    given: given!(
        Bodies, Opening, Softening, Given::Limit(ACCEPTED_OF_SECOND), Float(SHARE); "sorted body"
        "strength" "node" "seconds" "counter" "groups" "acceleration"
    ),
    ..FROM_QUEUE
};

const OWN_FORCE: Call = Call {
    given: given!(
        Bodies, Gpu, Gpus, Opening, Softening, Given::Limit(ACCEPTED_OF_SECOND), Float(SHARE);
        "sorted body" "strength" "node" "seconds" "counter" "groups" "exchanged"
    ),
    ..WITH_SECOND_MOMENTS
};

const COLLECT: Call =
    Call::new("collect", Blocks::OfBodies, 256, given!(Bodies, Gpus; "exchanged" "acceleration"));

const ADVANCE: Call = Call::new(
    "advance",
    Blocks::OfBodies,
    256,
    given!(
        Bodies, TimeStep; "sorted body" "sorted velocity" "sorted order" "acceleration" "body"
        "velocity" "order"
    ),
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

/// The same with small groups.
const fn few() -> [Call; 16] {
    let mut all = queued(ALL_MOMENTS, WITH_SECOND_MOMENTS);
    all[13] = DIVIDE_SMALL;
    all
}

/// The same with an exchange after the walk.
const DIVIDED_CALLS: &[Call] = &{
    let [a, b, c, d, e, f] = SORT;
    let (moments, force) = (ALL_MOMENTS, OWN_FORCE);
    [
        BOX, KEY, a, b, c, d, e, f, REORDER, COUNT, SCAN, LINK, moments, DIVIDE, force, COLLECT,
        ADVANCE,
    ]
};

const SORT: [Call; PASSES as usize] = [
    pass!(0, "key", "place", "other key", "other place"),
    pass!(1, "other key", "other place", "key", "place"),
    pass!(2, "key", "place", "other key", "other place"),
    pass!(3, "other key", "other place", "key", "place"),
    pass!(4, "key", "place", "other key", "other place"),
    pass!(5, "other key", "other place", "key", "place"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_small_where_bodies_are_few() {
        let largest = |n| largest_group(&Sizes::new(n, 132));
        let sizes = [1, 10_000, 60_000, 100_000, 200_000, 5_000_000];
        assert_eq!(sizes.map(largest), [8, 8, 16, 16, 32, 32]);
    }
}
