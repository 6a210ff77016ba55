//! Conversions between any two types.

use super::lanewise::Lanewise;
use super::operation::FloatModifiers;
use super::scalar::{Scalar, with_integer};
use crate::registers::{Operands, Registers};
use semantics::{Rounding, convert, float32, float64};

pub(super) fn conversion(
    from: Scalar,
    to: Scalar,
    rounding: Option<Rounding>,
    m: FloatModifiers,
    r: &mut Registers,
    i: &Operands,
    mask: u32,
) {
    let flush = |x| if m.ftz { float32::flush(x) } else { x };
    // With `.ftz`, an H200 also makes NaN operands one.
    let operand = |x| if m.ftz { float32::canonical(float32::flush(x)) } else { x };
    let finish = |x| if m.sat { float32::saturate(flush(x)) } else { flush(x) };
    let finish64 = |x| if m.sat { float64::saturate(x) } else { x };
    let to_nearest = rounding.unwrap_or(Rounding::Nearest);
    let truncating = rounding.unwrap_or(Rounding::Zero);
    match (from, to) {
        (Scalar::F32, Scalar::F32) => match rounding {
            Some(rounding) => {
                (|a| finish(convert::round_f32(operand(a), rounding))).each(r, i, mask);
            }
            None => (|a| finish(operand(a))).each(r, i, mask),
        },
        (Scalar::F64, Scalar::F64) => match rounding {
            Some(rounding) => {
                (|a| finish64(convert::round_f64(a, rounding))).each(r, i, mask);
            }
            None => finish64.each(r, i, mask),
        },
        (Scalar::F32, Scalar::F64) => {
            (|a| finish64(convert::f32_to_f64(operand(a)))).each(r, i, mask);
        }
        (Scalar::F64, Scalar::F32) => {
            (|a| finish(convert::f64_to_f32(a, to_nearest))).each(r, i, mask);
        }
        (Scalar::F32, _) => with_integer!(to, T => {
            (|a| convert::f32_to_int::<T>(operand(a), truncating)).each(r, i, mask)
        }),
        (Scalar::F64, _) => with_integer!(to, T => {
            (|a| convert::f64_to_int::<T>(a, truncating)).each(r, i, mask)
        }),
        (_, Scalar::F32) => with_integer!(from, T => {
            (|a: T| finish(convert::int_to_f32(a, to_nearest))).each(r, i, mask)
        }),
        (_, Scalar::F64) => with_integer!(from, T => {
            (|a: T| finish64(convert::int_to_f64(a, to_nearest))).each(r, i, mask)
        }),
        _ => with_integer!(from, From => with_integer!(to, To => {
            if m.sat {
                convert::int_to_int_sat::<From, To>.each(r, i, mask)
            } else {
                convert::int_to_int::<From, To>.each(r, i, mask)
            }
        })),
    }
}
