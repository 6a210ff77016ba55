//! Changed: all nodes in one array, in the order of the walk; each says how many it has below it.
//! Why:     no pointers and no calls: a node that is far enough is added and its part of the array skipped, another is entered.
//! Expect:  less time between two interactions. Bodies come in the order of the input, so each walk still reads other nodes.

use barnes_hut_cpu::{Cube, DEEPEST, Evaluation, Moments, Step};
use barnes_hut_cpu_01_recursive::STEP as PARENT;
use nbody::rust::{Accelerations, Sources};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: force,
    ..PARENT.then(
        "02-array",
        "One array",
        "nodes in one array, in the order of the walk: no pointers, no calls",
    )
};

/// A cell or a body, followed by what is in it.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Its centre of mass.
    pub centre: [f32; 3],
    /// Its mass.
    pub mass: f32,
    /// Square of the distance below which it is entered; 0 of a body, which never is.
    pub entered_within: f32,
    /// Nodes of its part of the array, with itself.
    pub nodes: u32,
    /// The number of a body in the input; any of a cell.
    pub body: u32,
}

fn force(bodies: &Sources, mut to: Accelerations, how: &Evaluation) {
    let nodes = tree(bodies, how);
    for i in 0..bodies.len() {
        to.set(i, attraction(&nodes, bodies.position(i), how));
    }
}

/// The tree of all bodies.
pub fn tree(bodies: &Sources, how: &Evaluation) -> Vec<Node> {
    let mut members: Vec<u32> = (0..bodies.len() as u32).collect();
    let mut nodes = Vec::with_capacity(2 * bodies.len());
    build(bodies, &mut members, Cube::around(bodies), 0, how, &mut nodes);
    nodes
}

/// Appends the cell of some bodies, with all that is in it.
pub fn build(
    bodies: &Sources,
    members: &mut [u32],
    cube: Cube,
    depth: u32,
    how: &Evaluation,
    nodes: &mut Vec<Node>,
) {
    if members.len() == 1 || depth == DEEPEST {
        nodes.extend(members.iter().map(|&body| Node::body(bodies, body)));
        return;
    }
    let place = nodes.len();
    nodes.push(Node::cell(cube.side, how));
    for (octant, part) in cube.parts(bodies, members) {
        build(bodies, part, cube.part(octant), depth + 1, how, nodes);
    }
    let (above, below) = nodes.split_at_mut(place + 1);
    above[place].sum_up(below);
}

impl Node {
    /// The node of a body.
    pub fn body(bodies: &Sources, body: u32) -> Node {
        let i = body as usize;
        Node {
            centre: bodies.position(i),
            mass: bodies.mass[i],
            entered_within: 0.0,
            nodes: 1,
            body,
        }
    }

    /// Whether it is a body: nothing is in it.
    pub fn is_body(&self) -> bool {
        self.nodes == 1
    }

    /// A cell with nothing in it.
    pub fn cell(side: f32, how: &Evaluation) -> Node {
        let entered_within = how.entered_within(side);
        Node { centre: [0.0; 3], mass: 0.0, entered_within, nodes: 1, body: 0 }
    }

    /// Gives a cell the mass and the centre of what is in it, which is `below`.
    pub fn sum_up(&mut self, below: &[Node]) {
        let mut moments = Moments::default();
        let mut at = 0;
        while let Some(child) = below.get(at) {
            moments += Moments::at(child.centre, child.mass);
            at += child.nodes as usize;
        }
        (self.centre, self.mass) = (moments.centre(), moments.mass());
        self.nodes += below.len() as u32;
    }
}

/// Acceleration at a position by all nodes.
pub fn attraction(nodes: &[Node], position: [f32; 3], how: &Evaluation) -> [f32; 3] {
    let [px, py, pz] = position;
    let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        let [x, y, z] = node.centre;
        let (dx, dy, dz) = (x - px, y - py, z - pz);
        let distance2 = dx * dx + dy * dy + dz * dz;
        if distance2 < node.entered_within {
            at += 1;
            continue;
        }
        let inverse = 1.0 / (distance2 + how.softening).sqrt();
        let scale = node.mass * inverse * inverse * inverse;
        ax += dx * scale;
        ay += dy * scale;
        az += dz * scale;
        at += node.nodes as usize;
    }
    [ax, ay, az]
}
