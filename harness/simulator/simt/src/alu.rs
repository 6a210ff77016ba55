//! Arithmetic on registers: which instructions there are, and [`crate::semantics`] applied to all lanes.
//!
//! [`Fast`] is a table of the instructions that kernels spend their time in; it is compiled for each
//! [`crate::Level`]. [`General`] is everything else, composed from operation, type and modifiers.

mod convert;
pub(crate) mod fast;
mod float;
mod general;
mod half;
pub(crate) mod isa;
pub(crate) mod lanewise;
pub(crate) mod matrix;
mod operation;
mod scalar;

pub(crate) use fast::Fast;
pub(crate) use half::{Clamp, Conversion, Number};
pub(crate) use operation::{
    Arithmetic32, Bitwise, Float, FloatModifiers, General, Half, HalfModifiers, Integral,
};
pub(crate) use scalar::Scalar;
