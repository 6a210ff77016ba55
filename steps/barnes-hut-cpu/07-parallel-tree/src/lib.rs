//! Changed: the parts of a large cell are built on all cores, each in an array of its own, and appended.
//! Why:     what one core does alone bounds what many can gain (Amdahl's law): the tree is a large part of the time by now.
//! Expect:  more, the more cores there are.

use barnes_hut_cpu::{Cube, DEEPEST, Evaluation, Step};
use barnes_hut_cpu_02_array::{Node, build};
use barnes_hut_cpu_06_threads::{STEP as PARENT, walk};
use nbody::rust::{Accelerations, Sources};
use rayon::prelude::*;

/// Cells of fewer bodies are built by one thread.
const LARGE: usize = 4096;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: force,
    ..PARENT.then(
        "07-parallel-tree",
        "Tree on all cores",
        "the parts of large cells are built side by side",
    )
};

fn force(bodies: &Sources, to: Accelerations, how: &Evaluation) {
    let mut members: Vec<u32> = (0..bodies.len() as u32).collect();
    walk(&tree(bodies, &mut members, Cube::around(bodies), 0, how), to, how);
}

/// The cell of some bodies, with all that is in it.
fn tree(
    bodies: &Sources,
    members: &mut [u32],
    cube: Cube,
    depth: u32,
    how: &Evaluation,
) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(2 * members.len());
    if members.len() < LARGE || depth == DEEPEST {
        build(bodies, members, cube, depth, how, &mut nodes);
        return nodes;
    }
    let parts = cube
        .parts(bodies, members)
        .into_par_iter()
        .map(|(octant, part)| tree(bodies, part, cube.part(octant), depth + 1, how));
    let parts: Vec<Vec<Node>> = parts.collect();
    nodes.push(Node::cell(cube.side, how));
    parts.iter().for_each(|part| nodes.extend_from_slice(part));
    let (cell, below) = nodes.split_at_mut(1);
    cell[0].sum_up(below);
    nodes
}
