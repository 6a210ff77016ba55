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
const PAIRS: &str = "pairs at one place";
const BORDERS: &str = "bodies on borders of cells";
const LINE: &str = "bodies on a line";
const PLANE: &str = "bodies on a plane";
/// Of the cells of a cube, the last one that a walk adds to its list has more in it than a body, and so on: what it still has to
/// look at is the most.
const NESTED: &str = "cubes inside each other";
/// The same where cells follow each other on Hilbert's curve.
const NESTED_ON_CURVE: &str = "cubes inside each other along a curve";
/// One of them far from all others.
pub const FAR: &str = "a body far away";

/// Of cubes inside each other.
const LEVELS: usize = 16;

/// How far away that is; the cluster has a size of about 1.
const DISTANCE: f32 = 1e4;

/// `n` bodies of a kind. They begin with any of them, so that the outermost ones are not always the same threads'.
pub fn bodies(kind: &str, n: u64, seed: u64) -> Bodies {
    let mut bodies = plummer(n as usize, seed);
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ n);
    let mut fraction = || (random.next_u32() >> 8) as f32 / (1 << 24) as f32;
    let n = bodies.len();
    match kind {
        ONE_PLACE => bodies.position.iter_mut().for_each(|axis| axis.fill(0.3)),
        PAIRS => {
            for axis in &mut bodies.position {
                (1..n).step_by(2).for_each(|i| axis[i] = axis[i - 1]);
            }
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
            bodies.position[1].fill(0.5);
            bodies.position[2].fill(-2.0);
        }
        PLANE => bodies.position[2].fill(0.1),
        NESTED => nested(&mut bodies, [1.0; 3], fraction),
        NESTED_ON_CURVE => nested(&mut bodies, [1.0, -1.0, -1.0], fraction),
        FAR => bodies.position[1][n / 2] = DISTANCE,
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
