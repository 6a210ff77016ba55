//! The bodies divided over several GPUs: each has a tree of its own and gets the parts of the others' that it opens.
//! Device code: `kernels/barnes-hut/19-forest.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::forest::FOREST;
use barnes_hut::step::ELSEWHERE;
use barnes_hut_18_divided::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("a tree on each GPU, and what GPUs send each other of it"),
    elsewhere: Some(ELSEWHERE),
    host: FOREST,
    ..PARENT.then(
        "19-forest",
        "Forest",
        "bodies and trees divided over several GPUs, parts of trees gathered",
    )
};
