//! Changed: nothing yet. The tree as a textbook has it: a cell owns its children, and two functions call themselves.
//! Why:     a correct start. A cell that is far away acts as one body, so a body meets hundreds of others, not all n.
//! Expect:  far less than n² work, but every cell is somewhere else in memory, and nothing of it fits a vector.

use barnes_hut_cpu::{Cube, DEEPEST, Evaluation, Moments, Step};
use ladder::{Code, Threads};
use nbody::rust::{Accelerations, Sources};

/// The first step.
pub const STEP: Step = Step {
    code: Code::Rust,
    threads: Threads::One,
    ..Step::first(
        "01-recursive",
        "Recursion",
        "a cell owns its children; the walk calls itself for each",
        1,
        force,
    )
};

struct Cell {
    moments: Moments,
    content: Content,
}

enum Content {
    Children(Vec<Cell>),
    Bodies(Vec<usize>),
}

fn force(bodies: &Sources, mut to: Accelerations, how: &Evaluation) {
    let cube = Cube::around(bodies);
    let root = build(bodies, (0..bodies.len()).collect(), cube, 0);
    for i in 0..bodies.len() {
        to.set(i, attraction(&root, cube.side, bodies, bodies.position(i), how));
    }
}

/// The cell of some bodies, with all that is in it.
fn build(bodies: &Sources, members: Vec<usize>, cube: Cube, depth: u32) -> Cell {
    if members.len() == 1 || depth == DEEPEST {
        let moments = members.iter().map(|&i| Moments::of(bodies, i)).sum();
        return Cell { moments, content: Content::Bodies(members) };
    }
    let mut parts: [Vec<usize>; 8] = Default::default();
    for i in members {
        parts[cube.octant(bodies.position(i))].push(i);
    }
    let parts = parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty());
    let children: Vec<Cell> =
        parts.map(|(octant, part)| build(bodies, part, cube.part(octant), depth + 1)).collect();
    Cell {
        moments: children.iter().map(|child| child.moments).sum(),
        content: Content::Children(children),
    }
}

/// Acceleration at a position by all that is in a cell with such a side.
fn attraction(
    cell: &Cell,
    side: f32,
    bodies: &Sources,
    position: [f32; 3],
    how: &Evaluation,
) -> [f32; 3] {
    let [x, y, z] = cell.moments.centre();
    let [dx, dy, dz] = [x - position[0], y - position[1], z - position[2]];
    let far = how.is_far(side, dx * dx + dy * dy + dz * dz);
    let mut sum = [0.0; 3];
    let mut add = |[x, y, z]: [f32; 3]| sum = [sum[0] + x, sum[1] + y, sum[2] + z];
    match &cell.content {
        Content::Children(_) if far => add(how.pull(cell.moments, position)),
        Content::Children(children) => {
            for child in children {
                add(attraction(child, side / 2.0, bodies, position, how));
            }
        }
        Content::Bodies(members) => {
            for &i in members {
                add(how.pull(Moments::of(bodies, i), position));
            }
        }
    }
    sum
}
