//! Changed: the list is summed up in vectors, with an estimate of 1/√r² and Newton's step: the loop of `cpu/06-rsqrt`.
//! Why:     a list is what all pairs are: columns of bodies, and no test.
//! Expect:  as much as vectors gained there, for the sums; the tree and the walks stay what they were, and show now.

use barnes_hut_cpu::{Evaluation, Step};
use barnes_hut_cpu_02_array::{Node, tree};
use barnes_hut_cpu_04_groups::{GROUP, List, STEP as PARENT, in_order};
use cpu_06_rsqrt::attraction;
use nbody::rust::{Accelerations, Sources};
use vectors::{Loop, Simd};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: force,
    ..PARENT.then("05-vectors", "Vectors", "lists are summed up in vectors as wide as the CPU has")
};

fn force(bodies: &Sources, mut to: Accelerations, how: &Evaluation) {
    let nodes = tree(bodies, how);
    let mut list = List::default();
    for group in in_order(&nodes).chunks(GROUP) {
        for (body, sum) in group.iter().zip(sums(&nodes, group, &mut list, how)) {
            to.set(body.body as usize, sum);
        }
    }
}

/// The widest vectors have so many lanes.
const LANES: usize = 16;

/// Accelerations of the bodies of a group; `list` is memory that groups use one after the other.
pub fn sums(nodes: &[Node], group: &[Node], list: &mut List, how: &Evaluation) -> Vec<[f32; 3]> {
    list.fill(nodes, group);
    how.vectors.run(Group { list: list.columns(LANES), group, softening: how.softening })
}

/// A group and its list.
struct Group<'a> {
    list: Sources<'a>,
    group: &'a [Node],
    softening: f32,
}

impl Loop for Group<'_> {
    type Output = Vec<[f32; 3]>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<[f32; 3]> {
        let mut sums = Vec::with_capacity(self.group.len());
        for body in self.group {
            sums.push(attraction(simd, &self.list, body.centre, self.softening));
        }
        sums
    }
}
