//! Changed: nothing yet. This is the tutorial's CPU program, its C loop in Rust: an array of structs, one thread.
//! Why:     a correct start, from which every later gain is counted.
//! Expect:  slow: one body after the other, and each waits for a square root and a division.

use ladder::{Code, Threads};
use nbody::rust::{Body, Evaluation, Rust};
use nbody::{Host, Layout, Step};

/// The first step of the CPU ladder.
pub const STEP: Step = Step {
    code: Code::Rust,
    threads: Threads::One,
    ..Step::first(
        "01-c-loop",
        "C loop",
        "the C loop as it is, in Rust: one thread, an array of structs",
        1,
        Host {
            layout: Layout::ArrayOfStructs,
            rust: Some(Rust::Structs { force, advance }),
            ..Host::PLAIN
        },
    )
};

fn force(body: &mut [Body], evaluation: &Evaluation) {
    for i in 0..body.len() {
        let [px, py, pz] = body[i].position;
        let (mut ax, mut ay, mut az) = (0.0, 0.0, 0.0);
        for (j, other) in body.iter().enumerate() {
            if i != j {
                let dx = other.position[0] - px;
                let dy = other.position[1] - py;
                let dz = other.position[2] - pz;
                let dsq = dx * dx + dy * dy + dz * dz; // distance squared
                let dinv = 1.0 / (dsq + evaluation.softening).sqrt(); // inverse softened distance
                let scale = other.mass * dinv * dinv * dinv;
                ax += dx * scale;
                ay += dy * scale;
                az += dz * scale;
            }
        }
        let old = body[i].acceleration;
        let new = [ax, ay, az];
        if evaluation.step > 0 {
            // The velocity was advanced with the old acceleration: correct it.
            for axis in 0..3 {
                body[i].velocity[axis] += (new[axis] - old[axis]) * evaluation.dthf;
            }
        }
        body[i].acceleration = new;
    }
}

fn advance(body: &mut [Body], dtime: f32, dthf: f32) {
    for body in body {
        for axis in 0..3 {
            let change = body.acceleration[axis] * dthf;
            let half = body.velocity[axis] + change; // half a time step on
            body.position[axis] += half * dtime;
            body.velocity[axis] = half + change;
        }
    }
}
