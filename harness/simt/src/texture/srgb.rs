//! The sRGB transfer function.

/// The linear value of an encoded byte.
pub(super) fn decode(encoded: u8) -> f32 {
    let value = f64::from(encoded) / 255.0;
    let linear =
        if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
    linear as f32
}
