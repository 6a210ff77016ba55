//! Changed: `if i != j` is gone.
//! Why:     softening keeps the distance above zero, so a body's pull on itself is exactly 0 anyway.
//! Expect:  nothing yet, or a little less: the branch was foreseen, and the compiler now packs y and z into half a vector,
//!          which costs more than it saves. But only a loop without branches can be done in whole vectors.

use cpu_02_soa::STEP as PARENT;
use nbody::rust::{Accelerations, Evaluation, Rust, Sources};
use nbody::{Host, Step};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { rust: Some(Rust::Arrays(force)), ..PARENT.host },
    ..PARENT.then("03-no-if", "No if", "softening makes the test i != j needless")
};

fn force(body: &Sources, acceleration: Accelerations, evaluation: &Evaluation) {
    let Sources { mass, x, y, z } = *body;
    for i in 0..mass.len() {
        let (px, py, pz) = (x[i], y[i], z[i]);
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for j in 0..mass.len() {
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
        acceleration.x[i] = ax;
        acceleration.y[i] = ay;
        acceleration.z[i] = az;
    }
}
