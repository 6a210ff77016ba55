//! Arithmetic on registers: which instructions there are, and [`crate::semantics`] applied to all lanes.
//!
//! [`Fast`] is a table of the instructions that kernels spend their time in; it is compiled for each
//! [`crate::Level`]. [`General`] is everything else, composed from operation, type and modifiers.

mod build;
mod convert;
mod fast;
mod float;
mod general;
mod lanewise;
mod matrix;

pub(crate) use build::Build;
pub(crate) use fast::Fast;
pub(crate) use general::{Arithmetic32, Bitwise, Float, FloatModifiers, General, Integral, Scalar};
