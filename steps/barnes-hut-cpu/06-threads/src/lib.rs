//! Changed: groups are dealt out to all cores.
//! Why:     a group reads the tree and writes its own bodies: nothing is shared that anybody writes.
//! Expect:  the walks and sums as many times faster as there are cores; the tree is still built by one of them.

use barnes_hut_cpu::{Evaluation, Step};
use barnes_hut_cpu_02_array::{Node, tree};
use barnes_hut_cpu_04_groups::{GROUP, List, in_order};
use barnes_hut_cpu_05_vectors::{STEP as PARENT, sums};
use ladder::Threads;
use nbody::rust::{Accelerations, Sources};
use rayon::prelude::*;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    threads: Threads::Cores,
    host: force,
    ..PARENT.then(
        "06-threads",
        "All cores",
        "groups dealt out to as many threads as there are cores",
    )
};

fn force(bodies: &Sources, to: Accelerations, how: &Evaluation) {
    walk(&tree(bodies, how), to, how);
}

/// Accelerations of the bodies of a tree, on all cores.
pub fn walk(nodes: &[Node], mut to: Accelerations, how: &Evaluation) {
    let bodies = in_order(nodes);
    let groups = bodies.par_chunks(GROUP);
    let found: Vec<_> =
        groups.map_init(List::default, |list, group| sums(nodes, group, list, how)).collect();
    for (group, sums) in bodies.chunks(GROUP).zip(found) {
        for (body, sum) in group.iter().zip(sums) {
            to.set(body.body as usize, sum);
        }
    }
}
