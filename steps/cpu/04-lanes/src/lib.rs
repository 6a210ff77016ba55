//! Changed: sixteen sums instead of one, each of every sixteenth term.
//! Why:     rounding makes a sum depend on its order, and a compiler must keep the order of the program. This one vectors can keep.
//! Expect:  the compiler does the rest, with the vectors that every CPU of this architecture has: four lanes on x86 and Arm.

use cpu_03_no_if::STEP as PARENT;
use nbody::rust::{Accelerations, Evaluation, Rust, Sources};
use nbody::{Arithmetic, Host, Step, Sum};

/// Sums of each component.
pub const LANES: usize = 16;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        rust: Some(Rust::Arrays(force)),
        padding: LANES as u32,
        arithmetic: Arithmetic {
            sums: |grid| lanes(grid.n, LANES as u32),
            ..PARENT.host.arithmetic
        },
        ..PARENT.host
    },
    ..PARENT.then(
        "04-lanes",
        "Sixteen sums",
        "a sum for every lane, so that the compiler can use vectors",
    )
};

/// A sum for every lane, then a sum of these.
pub fn lanes(n: u32, lanes: u32) -> Vec<Sum> {
    vec![Sum::Rounded(n.div_ceil(lanes)), Sum::Rounded(lanes)]
}

fn force(bodies: &Sources, mut to: Accelerations, evaluation: &Evaluation) {
    let softening = evaluation.softening;
    let chunks = |values| <[f32]>::as_chunks::<LANES>(values).0;
    let (mass, x, y, z) =
        (chunks(bodies.mass), chunks(bodies.x), chunks(bodies.y), chunks(bodies.z));
    for i in 0..bodies.len() {
        let [xi, yi, zi] = bodies.position(i);
        let [mut ax, mut ay, mut az] = [[0.0; LANES]; 3];
        for (((mass, x), y), z) in mass.iter().zip(x).zip(y).zip(z) {
            for lane in 0..LANES {
                let dx = x[lane] - xi;
                let dy = y[lane] - yi;
                let dz = z[lane] - zi;
                let r2 = dx * dx + dy * dy + dz * dz + softening;
                let inverse = 1.0 / r2.sqrt();
                let scale = mass[lane] * (inverse * inverse * inverse);
                ax[lane] += dx * scale;
                ay[lane] += dy * scale;
                az[lane] += dz * scale;
            }
        }
        to.set(i, [ax, ay, az].map(|sums| sums.iter().sum()));
    }
}
