//! Changed: one array for each field instead of one array of structs.
//! Why:     the loop reads 4 of a body's 10 fields; alone they fill a cache line with 16 bodies' values, not 1.6 bodies.
//! Expect:  little: one core waits for arithmetic, not for memory. But vectors need neighbours beside each other.

use cpu_01_c_loop::STEP as PARENT;
use nbody::rust::{Accelerations, Evaluation, Rust, Sources};
use nbody::{Host, Layout, Step};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { rust: Some(Rust::Arrays(force)), layout: Layout::ScalarArrays, ..PARENT.host },
    ..PARENT.then("02-soa", "Structure of arrays", "one array per field instead of structs")
};

fn force(body: &Sources, acceleration: Accelerations, evaluation: &Evaluation) {
    let Sources { mass, x, y, z } = *body;
    for i in 0..mass.len() {
        let (px, py, pz) = (x[i], y[i], z[i]);
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for j in 0..mass.len() {
            if i != j {
                let dx = x[j] - px;
                let dy = y[j] - py;
                let dz = z[j] - pz;
                let dsq = dx * dx + dy * dy + dz * dz; // distance squared
                let dinv = 1.0 / (dsq + evaluation.softening).sqrt(); // inverse softened distance
                let scale = mass[j] * dinv * dinv * dinv;
                ax += dx * scale;
                ay += dy * scale;
                az += dz * scale;
            }
        }
        acceleration.x[i] = ax;
        acceleration.y[i] = ay;
        acceleration.z[i] = az;
    }
}
