#![doc = include_str!("../README.md")]

pub mod approximate;
pub mod bits;
pub mod compare;
pub mod convert;
mod directed;
pub mod float32;
pub mod float64;
pub mod fma;
pub mod half;
pub mod integer;
pub mod matrix;
mod softfloat;
pub mod video;

/// The rounding of a result that is not representable ("Rounding Modifiers").
///
/// Pass it as a constant inside lane loops: the functions match on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// `.rn`, `.rni`: to nearest, ties to even.
    Nearest,
    /// `.rz`, `.rzi`: towards zero.
    Zero,
    /// `.rm`, `.rmi`: towards negative infinity.
    Down,
    /// `.rp`, `.rpi`: towards positive infinity.
    Up,
}
