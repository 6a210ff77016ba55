//! Numbers of 16 bits and less: arithmetic, and conversions from and to them.

mod arithmetic;
mod convert;

pub(super) use arithmetic::half;
pub(crate) use convert::{Conversion, Number};
