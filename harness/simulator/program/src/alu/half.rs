//! Numbers of 16 bits and less: arithmetic, and conversions from and to them.

mod arithmetic;
mod clamp;
mod convert;

pub(super) use arithmetic::half;
pub use clamp::Clamp;
pub use convert::{Conversion, Number};
