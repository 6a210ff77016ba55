//! Changed: 32 neighbours walk together: what is far from all of them goes to a list, and then each meets the list.
//! Why:     one walk instead of 32, and the sums run over plain arrays, without a test.
//! Expect:  more interactions, since a cell is entered if one of the group needs it, and each far cheaper. The error falls.

use barnes_hut_cpu::{Evaluation, Step};
use barnes_hut_cpu_02_array::{Node, tree};
use barnes_hut_cpu_03_sorted::STEP as PARENT;
use nbody::rust::{Accelerations, Sources};

/// Bodies of a group.
pub const GROUP: usize = 32;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: force,
    ..PARENT.then("04-groups", "Groups", "32 neighbours share a walk and its list of interactions")
};

fn force(bodies: &Sources, mut to: Accelerations, how: &Evaluation) {
    let nodes = tree(bodies, how);
    let mut list = List::default();
    for group in in_order(&nodes).chunks(GROUP) {
        list.fill(&nodes, group);
        for body in group {
            to.set(body.body as usize, list.attraction(body.centre, how));
        }
    }
}

/// The bodies of a tree, in its order.
pub fn in_order(nodes: &[Node]) -> Vec<Node> {
    nodes.iter().filter(|node| node.is_body()).copied().collect()
}

/// What a group meets: bodies, and cells that act as one.
#[derive(Debug, Default)]
pub struct List {
    mass: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
}

impl List {
    /// Walks the tree for a group.
    pub fn fill(&mut self, nodes: &[Node], group: &[Node]) {
        self.clear();
        let (least, most) = bounds(group);
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            let outside = |axis: usize| {
                let centre = node.centre[axis];
                (least[axis] - centre).max(centre - most[axis]).max(0.0)
            };
            let (dx, dy, dz) = (outside(0), outside(1), outside(2));
            if dx * dx + dy * dy + dz * dz < node.entered_within {
                at += 1;
                continue;
            }
            self.push(node);
            at += node.nodes as usize;
        }
    }

    /// The list as columns, filled up to whole vectors of `lanes` with what has no mass.
    pub fn columns(&mut self, lanes: usize) -> Sources<'_> {
        for column in [&mut self.mass, &mut self.x, &mut self.y, &mut self.z] {
            column.resize(column.len().next_multiple_of(lanes), 0.0);
        }
        Sources { mass: &self.mass, x: &self.x, y: &self.y, z: &self.z }
    }

    fn clear(&mut self) {
        for column in [&mut self.mass, &mut self.x, &mut self.y, &mut self.z] {
            column.clear();
        }
    }

    fn push(&mut self, node: &Node) {
        let [x, y, z] = node.centre;
        self.mass.push(node.mass);
        self.x.push(x);
        self.y.push(y);
        self.z.push(z);
    }

    fn attraction(&self, [px, py, pz]: [f32; 3], how: &Evaluation) -> [f32; 3] {
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for (((mass, x), y), z) in self.mass.iter().zip(&self.x).zip(&self.y).zip(&self.z) {
            let (dx, dy, dz) = (x - px, y - py, z - pz);
            let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + how.softening).sqrt();
            let scale = mass * inverse * inverse * inverse;
            ax += dx * scale;
            ay += dy * scale;
            az += dz * scale;
        }
        [ax, ay, az]
    }
}

/// The smallest box around a group: its least and its greatest coordinates.
fn bounds(group: &[Node]) -> ([f32; 3], [f32; 3]) {
    let mut least = [f32::INFINITY; 3];
    let mut most = [f32::NEG_INFINITY; 3];
    for body in group {
        for axis in 0..3 {
            least[axis] = least[axis].min(body.centre[axis]);
            most[axis] = most[axis].max(body.centre[axis]);
        }
    }
    (least, most)
}
