//! What a step says of itself, and what its function is given.

use device::{HostArgument, HostCode, HostKernel};
use ladder::Threads;
use ladder::problem::OnCpu;
use nbody::rust::{Accelerations, Sources};
use vectors::Vectors;

use crate::Moments;

/// A step: its function is all that it is.
pub type Step = ladder::Step<Force>;

/// Builds a tree of bodies and writes the acceleration of each.
pub type Force = fn(&Sources, Accelerations, &Evaluation);

/// What a function is given besides bodies.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation {
    /// The opening angle θ: a cell acts as one body where its side, seen from the body, is below it.
    pub theta: f32,
    /// Softening ε².
    pub softening: f32,
    /// Which vectors to use.
    pub vectors: Vectors,
}

impl Evaluation {
    /// Square of the distance below which a cell of such a side is entered.
    #[must_use]
    pub fn entered_within(&self, side: f32) -> f32 {
        let distance = side / self.theta;
        distance * distance
    }

    /// Whether a cell of such a side acts as one body at the root of `distance2`.
    #[must_use]
    pub fn is_far(&self, side: f32, distance2: f32) -> bool {
        distance2 >= self.entered_within(side)
    }

    /// Acceleration at a position by what acts as one body.
    #[must_use]
    pub fn pull(&self, by: Moments, position: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = by.centre();
        let (dx, dy, dz) = (x - position[0], y - position[1], z - position[2]);
        let inverse = 1.0 / (dx * dx + dy * dy + dz * dz + self.softening).sqrt();
        let scale = by.mass() * inverse * inverse * inverse;
        [dx * scale, dy * scale, dz * scale]
    }
}

/// The name under which a step's function is launched.
pub(crate) const KERNEL: &str = "force";

/// The function of a step, to be called as kernels are launched: with θ and ε², and a buffer for each of mass, x, y, z and the
/// accelerations.
pub(crate) fn host_code(step: &Step, on: &OnCpu) -> HostCode {
    let (force, vectors) = (step.host, on.vectors);
    let run = move |arguments: &mut [HostArgument]| {
        let (mut numbers, mut columns) = (Vec::new(), Vec::new());
        for argument in arguments {
            match argument {
                HostArgument::F32(value) => numbers.push(*value),
                HostArgument::Buffer(bytes) => {
                    columns.push(bytemuck::cast_slice_mut::<u8, f32>(bytes));
                }
                _ => unreachable!("the problem gives no other arguments"),
            }
        }
        let columns = <[&mut [f32]; 7]>::try_from(columns);
        let (&[theta, softening], Ok([mass, px, py, pz, x, y, z])) = (numbers.as_slice(), columns)
        else {
            unreachable!("the problem gives two numbers and seven columns");
        };
        let bodies = Sources { mass, x: px, y: py, z: pz };
        force(&bodies, Accelerations { x, y, z }, &Evaluation { theta, softening, vectors });
    };
    let in_pool = step.threads == Threads::Cores;
    HostCode {
        name: String::new(),
        description: format!("Rust, {}", vectors.title()),
        kernels: vec![HostKernel { name: KERNEL, in_pool, run: Box::new(run) }],
    }
}
