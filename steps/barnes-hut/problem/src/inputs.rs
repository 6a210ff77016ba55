//! Bodies that are verified: clusters, and places that are hard on a tree.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use nbody::{Bodies, plummer};

/// What is timed, and verified at every size.
pub const CLUSTER: &str = "a cluster";

/// What is hard on a tree.
pub const HARD: [&str; 7] = [ONE_PLACE, PAIRS, BORDERS, LINE, PLANE, NESTED, FAR];

/// One place for all.
pub const ONE_PLACE: &str = "all bodies at one place";
const PAIRS: &str = "pairs at one place";
const BORDERS: &str = "bodies on borders of cells";
const LINE: &str = "bodies on a line";
const PLANE: &str = "bodies on a plane";
/// A tree of many levels, whose cells all have as many children as they can: a walk has much to remember.
const NESTED: &str = "cubes inside each other";
/// One of them far from all others.
pub const FAR: &str = "a body far away";

/// Of cubes inside each other.
const LEVELS: usize = 16;

/// How far away that is; the cluster has a size of about 1.
const DISTANCE: f32 = 1e4;

/// `n` bodies of a kind.
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
        // Seven corners of each cube, which has half the side of the one before; the rest inside the last.
        NESTED => {
            // Which corner none is at.
            let turned: [f32; 3] =
                std::array::from_fn(|_| if fraction() < 0.5 { -1.0 } else { 1.0 });
            for i in 0..n {
                let (level, corner) = ((i / 7).min(LEVELS), i % 7);
                for (axis, x) in bodies.position.iter_mut().enumerate() {
                    let at = match level < LEVELS {
                        true => {
                            if corner >> axis & 1 == 1 {
                                1.0
                            } else {
                                -1.0
                            }
                        }
                        false => 2.0 * fraction() - 1.0,
                    };
                    x[i] = 0.3 + turned[axis] * at / (1u32 << level) as f32;
                }
            }
        }
        FAR => bodies.position[1][n / 2] = DISTANCE,
        _ => {}
    }
    bodies
}
