//! Functions on the CPU: what they are given, and what they give.

mod columns;

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use vectors::{Loop, Simd, Vectors};

pub use columns::Sums;

/// A body in the tutorial's array of structs.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Body {
    /// Its mass.
    pub mass: f32,
    /// Where it is: x, y, z.
    pub position: [f32; 3],
    /// Its velocity.
    pub velocity: [f32; 3],
    /// Its acceleration by all others.
    pub acceleration: [f32; 3],
}

/// The functions of a step in Rust.
#[derive(Debug, Clone, Copy)]
pub enum Rust {
    /// Over an array of structs, as in the tutorial's C program.
    Structs {
        /// From positions to accelerations; after the first time also the correction of the velocities.
        force: fn(&mut [Body], &Evaluation),
        /// Moves the bodies by a time step, given that and half of it.
        advance: fn(&mut [Body], f32, f32),
    },
    /// Over scalar arrays: from positions to accelerations. The rest is the same in all steps.
    Arrays(fn(&Sources, Accelerations, &Evaluation)),
    /// The same, in the vectors that the evaluation names.
    Vectors(fn(&Sources, Accelerations, &Evaluation)),
}

/// Bodies that attract, padded to whole vectors with massless ones in the origin.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Masses.
    pub mass: &'a [f32],
    /// Positions.
    pub x: &'a [f32],
    /// Positions.
    pub y: &'a [f32],
    /// Positions.
    pub z: &'a [f32],
}

/// Accelerations to be written, one a body.
#[derive(Debug)]
pub struct Accelerations<'a> {
    /// Along x.
    pub x: &'a mut [f32],
    /// Along y.
    pub y: &'a mut [f32],
    /// Along z.
    pub z: &'a mut [f32],
}

/// What a force evaluation is told beside the bodies.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation {
    /// Its number in the simulation; the first is 0.
    pub step: u32,
    /// Half a time step.
    pub dthf: f32,
    /// Softening ε².
    pub softening: f32,
    /// Which vectors to use.
    pub vectors: Vectors,
}

/// Forces in vectors of any width, to be compiled for each instruction set.
pub trait Forces {
    /// Writes the accelerations of the bodies, or adds the forces on them, as the step has it.
    fn all<S: Simd>(simd: S, bodies: &Sources, to: Accelerations, softening: f32);
}

/// Forces in the vectors that the evaluation names.
pub fn in_vectors<F: Forces>(bodies: &Sources, to: Accelerations, evaluation: &Evaluation) {
    evaluation.vectors.run(All(bodies, to, evaluation.softening, PhantomData::<F>));
}

struct All<'a, F>(&'a Sources<'a>, Accelerations<'a>, f32, PhantomData<F>);

impl<F: Forces> Loop for All<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let All(bodies, to, softening, _) = self;
        F::all(simd, bodies, to, softening);
    }
}
