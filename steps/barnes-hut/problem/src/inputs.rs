//! Bodies that are verified: clusters, and places that are hard on a tree.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use nbody::{Bodies, plummer};

use crate::case::renumbered;

/// What is timed, and verified at every size.
pub const CLUSTER: &str = "a cluster";

/// What is hard on a tree.
pub const HARD: [&str; 8] = [ONE_PLACE, PAIRS, BORDERS, LINE, PLANE, NESTED, NESTED_ON_CURVE, FAR];

/// One place for all.
pub const ONE_PLACE: &str = "all bodies at one place";
const PAIRS: &str = "pairs at one place, some without mass";
const BORDERS: &str = "bodies on borders of cells";
const LINE: &str = "bodies on a line, half of it without mass";
const PLANE: &str = "bodies on a plane";
/// Of the cells of a cube, the last one that a walk adds to its list has more in it than a body, and so on: what it still has to
/// look at is the most.
const NESTED: &str = "cubes inside each other";
/// The same where cells follow each other on Hilbert's curve.
const NESTED_ON_CURVE: &str = "cubes inside each other along a curve";
/// One of them far from all others.
pub const FAR: &str = "a body far away";

/// Cubes inside each other, whose tree has no room for another cell. The number of bodies says towards which corner they lie.
pub const FULL: &str = "a tree without a cell to spare";

/// Cubes inside each other whose other eighths have eight full leaves each: a walk of 32 nodes at a time that opens all of them
/// would have more than a thousand nodes and bodies still to look at, if nothing limited them.
pub const LEAVES: &str = "cubes of full leaves inside each other";
/// The same where cells follow each other on Hilbert's curve.
pub const LEAVES_ON_CURVE: &str = "cubes of full leaves inside each other along a curve";

/// Bodies of three such cubes, and of eight leaves in the last of their eighths.
pub const LEAVES_SIZE: u64 = 7 * (8 * OUTER_LEAF + 2 * 8 * LEAF) + 8 * LEAF;

/// Bodies of a full leaf.
const LEAF: u64 = 16;

/// Of a leaf of the outermost cube: with half as many, a walk still has a sixth too many to look at.
const OUTER_LEAF: u64 = 8;

/// How many bodies: two or three cubes, towards each corner.
pub const FULL_SIZES: std::ops::Range<u64> = 15..23;

/// The same of a tree with more cells than a warp has lanes, of which the last one that is made is far from its parent.
pub const FULL_AND_WIDE: &str = "a wide tree without a cell to spare";

/// How many bodies, towards each corner.
pub const WIDE_SIZES: std::ops::Range<u64> = 4 * PARENTS + 8..4 * PARENTS + 16;

/// Cells of the third level of that tree, each with a cell in it.
const PARENTS: u64 = 64;

/// Cells of a full tree: one of each cube that two bodies or more are in. There is no such number of other kinds.
pub fn full_cells(kind: &str, n: u64) -> Option<u64> {
    match kind {
        FULL => Some((n - 2) / 7 + 1),
        FULL_AND_WIDE => Some(1 + 8 + PARENTS + PARENTS),
        _ => None,
    }
}

/// Many bodies near the origin, of which the last two, which the last warps of a launch have, are alone in their corners.
pub const CORNERS: &str = "the box around very many bodies";

/// As many as several tiles of a sort have.
pub const SORTED: &str = "the order of many bodies";

/// The tree of so many that a cell has more bodies than 16 bits count.
pub const COUNTED: &str = "the tree of very many bodies";

/// Half the side of that box.
pub const CORNER: f32 = 4.0;

/// Cells of a grid in it, along each axis.
pub const CELLS: u64 = 1024;

/// So many that most of a warp's bodies are a group of the walk; groups differ in how many sources are left for the end.
pub const CLUMPS: &str = "clumps of some 64 bodies";

/// Their width; the cluster in which they lie has a size of about 1.
const CLUMP: f32 = 0.01;

/// Where Hilbert's curve ends.
const ON_CURVE: [f32; 3] = [1.0, -1.0, -1.0];

/// Of cubes inside each other.
const LEVELS: usize = 16;

/// How far away that is; the cluster has a size of about 1.
const DISTANCE: f32 = 1e4;

/// `n` bodies of a kind. They begin with any of them, so that the outermost ones are not always the same threads'.
pub fn bodies(kind: &str, n: u64, seed: u64) -> Bodies {
    let mut bodies = plummer(n as usize, seed);
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ n);
    // Masses of any size, by a power of two that changes no bits of them.
    let unit = 2.0f32.powi((random.next_u32() % 33) as i32 - 16);
    bodies.mass.iter_mut().for_each(|mass| *mass *= unit);
    let mut fraction = || (random.next_u32() >> 8) as f32 / (1 << 24) as f32;
    let n = bodies.len();
    match kind {
        ONE_PLACE => bodies.position.iter_mut().for_each(|axis| axis.fill(0.3)),
        PAIRS => {
            for axis in &mut bodies.position {
                (1..n).step_by(2).for_each(|i| axis[i] = axis[i - 1]);
            }
            bodies.mass.chunks_mut(2).step_by(4).for_each(|pair| pair.fill(0.0));
        }
        // On a grid whose planes are those between cells, and its corners at places ±1.
        BORDERS => {
            for axis in &mut bodies.position {
                axis.iter_mut().for_each(|x| *x = ((fraction() * 17.0).floor() - 8.0) / 8.0);
                axis[0] = -1.0;
                axis[n - 1] = 1.0;
            }
        }
        LINE => {
            bodies.position[0].iter_mut().for_each(|x| *x = fraction());
            bodies.position[1].fill(3.0);
            bodies.position[2].fill(-2.0);
            let light = bodies.position[0].iter().zip(&mut bodies.mass).filter(|(x, _)| **x < 0.5);
            light.for_each(|(_, mass)| *mass = 0.0);
        }
        // Above all other coordinates; those of the line differ in the other order.
        PLANE => bodies.position[2].fill(50.0),
        NESTED => nested(&mut bodies, [1.0; 3], fraction),
        FULL => {
            let corner = [0, 1, 2].map(|axis| if n >> axis & 1 == 1 { 1.0 } else { -1.0 });
            nested(&mut bodies, corner, fraction);
        }
        // The order of bodies is that of cells: parents first.
        FULL_AND_WIDE => {
            wide(&mut bodies);
            return bodies;
        }
        NESTED_ON_CURVE => nested(&mut bodies, ON_CURVE, fraction),
        LEAVES => leaves(&mut bodies, [1.0; 3], fraction),
        LEAVES_ON_CURVE => leaves(&mut bodies, ON_CURVE, fraction),
        CLUMPS => {
            let mut centre = 0;
            for i in 0..n {
                centre = if fraction() < 1.0 / 64.0 { i } else { centre };
                for axis in &mut bodies.position {
                    axis[i] = axis[centre] + CLUMP * (fraction() - 0.5);
                }
            }
        }
        FAR => bodies.position[1][n / 2] = -DISTANCE,
        _ => {}
    }
    renumbered(&bodies, &[], random.next_u64()).0
}

/// A body in seven eighths of a cube; in the eighth towards a corner, the same again, [`LEVELS`] times; and the rest in the last.
fn nested(bodies: &mut Bodies, corner: [f32; 3], mut fraction: impl FnMut() -> f32) {
    let (mut middle, mut half) = ([0.0f32; 3], 1.0f32);
    for i in 0..bodies.len() {
        let (level, eighth) = (i / 7, i % 7);
        let deep = level >= LEVELS;
        for (axis, x) in bodies.position.iter_mut().enumerate() {
            // The other eighths by the axes along which they lie away from the corner; the first cube has bodies in its corners.
            let away = if (eighth + 1) >> axis & 1 == 1 { -1.0 } else { 1.0 };
            let at = match (deep, level) {
                (true, _) => 2.0 * fraction() - 1.0,
                (_, 0) => away * corner[axis],
                _ => 0.5 * away * corner[axis],
            };
            x[i] = middle[axis] + half * at;
        }
        if eighth == 6 && !deep {
            half *= 0.5;
            (0..3).for_each(|axis| middle[axis] += half * corner[axis]);
        }
    }
}

/// [`LEAVES`], towards a corner.
fn leaves(bodies: &mut Bodies, corner: [f32; 3], mut fraction: impl FnMut() -> f32) {
    let of_eighth = [OUTER_LEAF, LEAF, LEAF, LEAF].map(|of_leaf| 8 * of_leaf as usize);
    let mut body = 0;
    for (cube, bodies_of_eighth) in of_eighth.into_iter().enumerate() {
        let half = 0.5f32.powi(cube as i32);
        // The last cube is one with eight leaves itself.
        let (eighths, side) = if cube == 3 { (0..1, half) } else { (1..8, 0.5 * half) };
        for (eighth, leaf) in eighths.flat_map(|it| (0..bodies_of_eighth).map(move |b| (it, b % 8)))
        {
            for (axis, x) in bodies.position.iter_mut().enumerate() {
                let sign =
                    |bits: usize| if bits >> axis & 1 == 1 { -corner[axis] } else { corner[axis] };
                let middle = (1.0 - half) * corner[axis] + (half - side) * sign(eighth);
                x[body] = middle + 0.5 * side * sign(leaf) + 0.49 * side * (2.0 * fraction() - 1.0);
            }
            body += 1;
        }
    }
    // The whole ends at bodies.
    for (body, sign) in [(0, 1.0), (7 * of_eighth[0] - 1, -1.0)] {
        (0..3).for_each(|axis| bodies.position[axis][body] = sign * corner[axis]);
    }
}

/// Four cubes along each axis. Each has a pair of bodies in the eighth towards a corner, and another body in the eighth opposite:
/// once that is there, one of the pair makes a cell for it alone. Where a block has 128 threads, the same thread inserts that other
/// body and then this one of the pair. The number of bodies says which corner.
fn wide(bodies: &mut Bodies) {
    let (n, cubes) = (bodies.len(), PARENTS as usize);
    let is_up = |axis: &usize| n >> axis & 1 == 1;
    let outermost: usize = (0..3).filter(is_up).map(|axis| 3 << (2 * axis)).sum();
    for (axis, x) in bodies.position.iter_mut().enumerate() {
        let sign = if is_up(&axis) { 1.0 } else { -1.0 };
        for (i, x) in x.iter_mut().enumerate() {
            let middle = ((i % cubes) >> (2 * axis) & 3) as f32 * 0.5 - 0.75;
            let away = match i / cubes {
                0 => 0.0625,
                1 => -0.125,
                3 => 0.1875,
                // The others, beside the pair in this direction or that.
                2 if axis == 0 => -0.125,
                4 if axis == 1 => -0.125,
                _ => 0.125,
            };
            *x = middle + sign * away;
        }
        // The whole ends at bodies.
        x[3 * cubes + outermost] = sign;
        x[cubes + (cubes - 1 - outermost)] = -sign;
    }
}

/// [`CORNERS`], of which the seed chooses which of the two is in which corner. The others lie in cells of a grid near the
/// origin, off the cells' borders, and in one eighth of the whole: more than 16 bits count have the same first digits.
pub fn corners(n: u64, seed: u64) -> Bodies {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ n);
    let width = 2.0 * CORNER / CELLS as f32;
    let mut bodies = Bodies::with_capacity(n as usize);
    for _ in 0..n {
        let near = [0; 3].map(|_| {
            let (cell, within) = (random.next_u32() % 128, random.next_u32() >> 8);
            width * (cell as f32 + 0.01 + 0.98 * within as f32 / (1 << 24) as f32)
        });
        bodies.push(1.0, near, [0.0; 3]);
    }
    let last = n as usize - 1;
    let sign = if seed.is_multiple_of(2) { 1.0 } else { -1.0 };
    for (body, sign) in [(last, sign), (last.saturating_sub(32), -sign)] {
        for (axis, part) in [1.0, 0.5, 0.25].into_iter().enumerate() {
            bodies.position[axis][body] = sign * part * CORNER;
        }
    }
    bodies
}
