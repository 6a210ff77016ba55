//! Arithmetic on registers: which instructions there are, and [`semantics`] applied to all lanes.
//!
//! [`Fast`] is a table of the instructions that kernels spend their time in; it is compiled for each
//! level of vector instructions. [`General`] is everything else, composed from operation, type and modifiers.

mod convert;
pub mod fast;
mod float;
mod general;
mod half;
pub mod isa;
pub mod lanewise;
pub mod matrix;
mod operation;
mod scalar;

pub use fast::Fast;
pub use half::{Clamp, Conversion, Number};
pub use operation::{
    Arithmetic32, Bitwise, Float, FloatModifiers, General, Half, HalfModifiers, Integral,
};
pub use scalar::Scalar;
