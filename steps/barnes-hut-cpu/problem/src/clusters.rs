//! Bodies that are timed, and bodies that trees have trouble with.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use nbody::{Bodies, plummer};

/// The cluster that is timed.
pub const PLUMMER: &str = "a Plummer cluster";

/// All kinds that are verified.
pub const KINDS: [&str; 8] = [
    PLUMMER,
    "bodies of unequal mass",
    "all bodies on one point",
    "pairs of bodies on one point",
    "bodies on the borders of cells",
    "bodies on a line",
    "bodies on a plane",
    "one body far away",
];

/// Bodies of one of the [`KINDS`].
pub fn cluster(kind: &str, n: usize, seed: u64) -> Bodies {
    let mut bodies = plummer(n, seed);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = |end: u32| (random.next_u32() % end) as f32;
    let [x, y, z] = &mut bodies.position;
    match kind {
        "bodies of unequal mass" => {
            bodies.mass.iter_mut().for_each(|mass| *mass *= 0.5 + drawn(1000) / 1000.0);
        }
        "all bodies on one point" => [x, y, z].into_iter().for_each(|axis| axis.fill(0.7)),
        "pairs of bodies on one point" => {
            for axis in [x, y, z] {
                axis.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair[1] = pair[0]);
            }
        }
        // Whole numbers in a cube whose side is a power of two: each is a corner of cells.
        "bodies on the borders of cells" => {
            for axis in [x, y, z] {
                axis.iter_mut().for_each(|place| *place = drawn(17));
            }
        }
        "bodies on a line" => [y, z].into_iter().for_each(|axis| axis.fill(-0.3)),
        "bodies on a plane" => z.fill(0.1),
        "one body far away" => x[n - 1] = 1e6,
        _ => {}
    }
    bodies
}
