//! The step whose GPUs have bodies and trees of their own, and send each other parts of these.

use super::alone::OF_FOREST;
use super::{
    ACCEPTED_OF_SECOND, ADVANCE, ALL_MOMENTS, COMMON, COUNT, DIVIDE, KEY, LINK, REORDER, SCAN,
    SECOND_MOMENTS, SHARE, SORT, WITH_SECOND_MOMENTS, boxes, joined, read,
};
use crate::array::{Array, Role, Sizes};
use crate::step::Given::{self, Bodies, Count, Float, Gpu, Gpus, Opening, Softening};
use crate::step::{Blocks, Call, Exchange, Host, given};
use crate::tree::{Cube, Tree};

/// Each GPU has a tree of its own bodies.
pub const FOREST: Host = Host {
    arrays: &joined::<{ COMMON.len() + 8 }>(COMMON, SHARED),
    calls: CALLS,
    exchange: Some(Exchange::Trees),
    alone: OF_FOREST,
    tree: |from| {
        let cube = Cube::of(&from.floats(BOXES)[..6]);
        Ok(Tree { cube: Some(cube), ..read(from)? })
    },
    ..SECOND_MOMENTS
};

/// Runs of bodies that warps divide into regions, at most.
const RUNS: u64 = 4096;

/// Bodies of a run at least.
const RUN: u64 = 256;

/// Runs of bodies that warps divide into regions.
fn runs(it: &Sizes) -> u64 {
    it.n.div_ceil(RUN).min(RUNS)
}

/// Places for regions of a GPU. There are no more than bodies, and no more than these of a cluster with any number.
pub(crate) fn places(it: &Sizes) -> u64 {
    it.most.min(4 * RUNS)
}

/// Words of a node, of its second moments and of a region.
pub(crate) const WORDS: u64 = 8;

/// Words of what a GPU says of its part.
pub(crate) const PART: usize = 4;

/// Nodes that there is room for in a tree, the same on all GPUs.
pub(crate) fn room(it: &Sizes) -> u64 {
    5 * it.most / 2 + 64
}

/// Nodes that a GPU may send: all where bodies are few, else a quarter of those that there is room for, which is more
/// than clusters have.
pub(crate) fn sent(it: &Sizes) -> u64 {
    room(it).min((room(it) / 4).max(1 << 16))
}

/// Sections that there is room for: one for each GPU, and one for launches without exchanges.
fn sections(it: &Sizes) -> u64 {
    it.gpus + 1
}

/// Regions of all GPUs, by GPU.
pub(crate) const REGION: &str = "region";

/// What each GPU says of its part.
pub(crate) const PARTS: &str = "parts";

/// The box around all bodies where they are placed, whose cube is that of the keys.
pub(crate) const BOXES: &str = "boxes";

/// All bodies as one node.
pub(crate) const WHOLE: &str = "whole";

/// Arrays that have sections after what is a GPU's own.
pub(crate) const NODE: &str = "node";
pub(crate) const SECONDS: &str = "seconds";
pub(crate) const BODY: &str = "sorted body";

const SHARED: &[Array] = &[
    Array { name: BODY, role: Role::Tree, words: |it| 4 * (it.most + sections(it) * it.most) },
    Array { name: NODE, role: Role::Tree, words: |it| 8 * (room(it) + sections(it) * sent(it)) },
    Array {
        name: SECONDS,
        role: Role::Scratch,
        words: |it| 8 * (room(it) + sections(it) * sent(it)),
    },
    Array { name: REGION, role: Role::Zero, words: |it| WORDS * places(it) * it.gpus },
    Array { name: PARTS, role: Role::Zero, words: |it| PART as u64 * it.gpus },
    Array { name: "sent", role: Role::Scratch, words: room },
    Array { name: BOXES, role: Role::Boxes, words: boxes },
    Array { name: WHOLE, role: Role::Whole, words: |_| WORDS },
];

const OF_NODES: Blocks = Blocks::Of(|it| room(it).div_ceil(256).min(8 * it.multiprocessors));

const BEGIN: Call = Call::new(
    "begin",
    Blocks::Of(|it| it.n.div_ceil(512).min(8 * it.multiprocessors)),
    256,
    given!(Bodies; "counter"),
);

const DIVIDE_REGIONS: Call = Call::new(
    "regions",
    Blocks::Of(|it| runs(it).div_ceil(8)),
    256,
    given!(
        Bodies, Gpu, Count(places), Count(runs), Softening; "sorted body" "strength" "whole" "totals" "counter"
        "sent" "parts" "region"
    ),
);

const MARK: Call = Call::new(
    "mark",
    Blocks::Of(|it| places(it) * it.gpus),
    32,
    given!(
        Gpu, Count(places), Opening, Softening, Given::Limit(ACCEPTED_OF_SECOND), Float(SHARE);
        "region" "node" "sent"
    ),
);

const ENUMERATE: Call = Call::new(
    "enumerate",
    OF_NODES,
    256,
    given!(Gpu, Count(places); "totals" "node" "counter" "sent" "parts" "region"),
);

const PACK: Call = Call::new(
    "pack",
    OF_NODES,
    256,
    given!(
        Count(room), Count(|it| it.most), Count(|it| it.sections.own),
        Count(|it| it.sections.nodes), Count(|it| it.sections.bodies); "totals" "sent" "node"
        "seconds" "sorted body"
    ),
);

const DIVIDE_OWN: Call = Call {
    given: given!(Bodies, Softening; "sorted body" "strength" "whole" "counter" "groups"),
    ..DIVIDE
};

const FORCE: Call = Call {
    given: given!(
        Bodies, Gpu, Gpus, Count(room), Count(|it| it.sections.nodes), Opening, Softening,
        Given::Limit(ACCEPTED_OF_SECOND), Float(SHARE); "sorted body" "strength" "node" "seconds"
        "counter" "groups" "parts" "acceleration"
    ),
    ..WITH_SECOND_MOMENTS
};

const CALLS: &[Call] = &{
    let [a, b, c, d, e, f] = SORT;
    [
        BEGIN,
        KEY,
        a,
        b,
        c,
        d,
        e,
        f,
        REORDER,
        COUNT,
        SCAN,
        DIVIDE_REGIONS,
        LINK,
        ALL_MOMENTS,
        MARK,
        ENUMERATE,
        PACK,
        DIVIDE_OWN,
        FORCE,
        ADVANCE,
    ]
};
