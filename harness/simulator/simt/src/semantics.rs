//! What each PTX operation does to one thread's values.
//!
//! Pure functions over scalars, named as in the PTX ISA; sections cited in the comments are the
//! ISA's. The executor calls them in loops over the 32 lanes of a warp, so they are inlined, and
//! those that kernels use most are written without branches and without calls, which lets such a
//! loop be vectorised. Every function gives the same bits on every platform: only IEEE operations,
//! integer operations and the `libm` crate are used.
//!
//! The modifiers `.ftz` and `.sat` are functions of their own ([`float32::flush`],
//! [`float32::saturate`]): `add.ftz.sat.f32` is
//! `saturate(flush(add(flush(a), flush(b), Rounding::Nearest)))`.

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
