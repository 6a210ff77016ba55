//! Changed: bodies walk in the order in which they stand in the tree.
//! Why:     neighbours in space open the same cells: what one walk has read, the next finds in the cache.
//! Expect:  more the larger the tree is, compared with the caches; the branches of the walk are foreseen more often too.

use barnes_hut_cpu::{Evaluation, Step};
use barnes_hut_cpu_02_array::{STEP as PARENT, attraction, tree};
use nbody::rust::{Accelerations, Sources};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: force,
    ..PARENT.then(
        "03-sorted",
        "Sorted bodies",
        "bodies walk in the tree's order, neighbours one after the other",
    )
};

fn force(bodies: &Sources, mut to: Accelerations, how: &Evaluation) {
    let nodes = tree(bodies, how);
    for body in nodes.iter().filter(|node| node.is_body()) {
        to.set(body.body as usize, attraction(&nodes, body.centre, how));
    }
}
