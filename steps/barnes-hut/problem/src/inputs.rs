//! Bodies that are verified: clusters, and places that are hard on a tree.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use nbody::{Bodies, plummer};

/// What is timed, and verified at every size.
pub const CLUSTER: &str = "a cluster";

/// What is hard on a tree.
pub const HARD: [&str; 6] = [ONE_PLACE, PAIRS, BORDERS, LINE, PLANE, FAR];

/// One place for all.
pub const ONE_PLACE: &str = "all bodies at one place";
const PAIRS: &str = "pairs at one place";
const BORDERS: &str = "bodies on borders of cells";
const LINE: &str = "bodies on a line";
const PLANE: &str = "bodies on a plane";
/// One of them far from all others.
pub const FAR: &str = "a body far away";

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
        FAR => bodies.position[1][n / 2] = DISTANCE,
        _ => {}
    }
    bodies
}
