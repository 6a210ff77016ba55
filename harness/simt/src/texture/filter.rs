//! From texels to the four words of a sample.

use super::footprint::{Footprint, MOST};
use super::format::{Channel, Format};
use super::object::Texels;
use super::sampler::Sampler;

/// A texel's components: raw, or as the instruction gives them: floats or integers, as bits.
pub(crate) type Components = [u32; 4];

impl Sampler {
    /// What a texel's raw components become; those that its format lacks are 0.
    pub(crate) fn decode(&self, format: Format, raw: Components) -> Components {
        let mut components = [0; 4];
        for (k, component) in (0..format.components).zip(&mut components) {
            *component = self.decode_one(format, k, raw[usize::from(k)]);
        }
        components
    }

    /// What a raw component becomes.
    pub(crate) fn decode_one(&self, format: Format, component: u8, raw: u32) -> u32 {
        let floats = self.gives_floats(format);
        let Format { channel, bits, .. } = format;
        match channel {
            _ if component >= format.components => 0,
            Channel::Unsigned if self.srgb && component < 3 && bits == 8 => {
                super::srgb::decode(raw as u8).to_bits()
            }
            Channel::Float if bits == 16 => widened(raw as u16),
            Channel::Unsigned if floats => (raw as f32 / low(bits) as f32).to_bits(),
            Channel::Signed if floats => {
                (sign_extended(raw, bits) as f32 / low(bits - 1) as f32).max(-1.0).to_bits()
            }
            Channel::Signed => sign_extended(raw, bits).cast_unsigned(),
            Channel::Float | Channel::Unsigned => raw,
        }
    }

    /// What lies outside, raw: nothing after the end of linear memory, else the border as a texel of this format holds it.
    pub(crate) fn outside(&self, texels: &Texels) -> Components {
        let Format { channel, bits, .. } = texels.shape().format;
        if matches!(texels, Texels::Linear { .. }) {
            return [0; 4];
        }
        self.border.map(|border| match (channel, bits) {
            (Channel::Float, 16) => crate::semantics::half::f32_to_f16(border).into(),
            (_, 32) => border.to_bits(),
            _ if !self.as_float => border.to_bits() & low(bits),
            (Channel::Unsigned, _) => {
                // An H200 takes half a step down: 0.5 is 127 of 255.
                (f64::from(border.clamp(0.0, 1.0)) * f64::from(low(bits)) - 0.5).ceil() as u32
            }
            (_, bits) => {
                let scaled = f64::from(border.clamp(-1.0, 1.0)) * f64::from(low(bits - 1));
                (scaled.round() as i32).cast_unsigned() & low(bits)
            }
        })
    }

    /// The sample that raw texels make.
    pub(crate) fn sample(
        &self,
        format: Format,
        footprint: &Footprint,
        texels: &[Components],
    ) -> Components {
        if let [one] = texels {
            return self.decode(format, *one);
        }
        let weights = weights(footprint.weights, texels.len());
        let weights = &weights[..texels.len()];
        let mut components = [0; 4];
        for (k, component) in components.iter_mut().enumerate().take(format.components.into()) {
            let raw = texels.iter().map(|texel| texel[k]);
            *component = match format.channel {
                Channel::Float => float_sum(format.bits, raw.zip(weights.iter().copied())),
                Channel::Unsigned if self.srgb && k < 3 => {
                    let decoded = texels.iter().map(|texel| self.decode(format, *texel)[k]);
                    float_sum(32, decoded.zip(weights.iter().copied()))
                }
                _ => integer_sum(format, raw.zip(weights.iter().copied())),
            };
        }
        components
    }

    /// What the raw component of a texel around becomes: it goes the way of a sum.
    pub(crate) fn gathered(&self, format: Format, component: u8, raw: u32) -> u32 {
        let is_sum = format.channel == Channel::Signed && self.gives_floats(format);
        if is_sum && component < format.components {
            return integer_sum(format, [(raw, 256)].into_iter());
        }
        self.decode_one(format, component, raw)
    }
}

/// As many ones.
fn low(bits: u8) -> u32 {
    u32::MAX >> (32 - bits)
}

/// A half as a float. A NaN keeps its payload and stays signalling if it is.
fn widened(half: u16) -> u32 {
    let (sign, payload) = (u32::from(half >> 15) << 31, u32::from(half & 0x3ff));
    if half & 0x7c00 == 0x7c00 {
        sign | 0xff << 23 | payload << 13
    } else {
        crate::semantics::half::f16_to_f32(half).to_bits()
    }
}

fn sign_extended(raw: u32, bits: u8) -> i32 {
    let unused = 32 - u32::from(bits);
    (raw << unused).cast_signed() >> unused
}

/// The weights of texels, x fastest, in 256ths. Products are rounded to 256ths, a half up; what is left of an axis' weight is
/// that of the neighbour, so that they add up to 256.
fn weights(places: [u32; 3], count: usize) -> [u32; MOST] {
    let rounded = |a: u32, b: u32| (a * b + 128) >> 8;
    let [a, b, c] = places;
    let both = rounded(a, b);
    let plane = [256 + both - a - b, a - both, b - both, both];
    let mut weights = [0; MOST];
    weights[..4].copy_from_slice(&plane);
    match count {
        2 => weights[..2].copy_from_slice(&[256 - a, a]),
        8 => {
            let both = rounded(a, c);
            let plane = [256 + both - a - c, a - both, c - both, both];
            for (k, weight) in plane.into_iter().enumerate() {
                let (first, second) = (k & 1 | (k & 2) << 1, rounded(weight, b));
                weights[first] = weight - second;
                weights[first | 2] = second;
            }
        }
        _ => {}
    }
    weights
}

/// The sum of weighted integers as a number from -1 or 0 to 1. It is rounded to 16 bits, a half up; 8 bits are widened first,
/// signed ones by 258 1/128, which is not quite what they are worth.
fn integer_sum(format: Format, terms: impl Iterator<Item = (u32, u32)>) -> u32 {
    let (is_signed, bits) = (format.channel == Channel::Signed, format.bits);
    // What a texel's bits are multiplied by, in 128ths.
    let widening = match (is_signed, bits) {
        (false, 8) => 257 * 128,
        (true, 8) => 258 * 128 + 1,
        _ => 128,
    };
    let value = |raw| if is_signed { sign_extended(raw, bits).into() } else { i64::from(raw) };
    let sum: i64 = terms.map(|(raw, weight)| value(raw) * i64::from(weight)).sum();
    /// In a 256th of a 128th.
    const UNIT: i64 = 256 * 128;
    let greatest = i64::from(low(if is_signed { 15 } else { 16 }));
    let rounded = (sum * widening + UNIT / 2).div_euclid(UNIT).max(-greatest);
    (rounded as f32 / greatest as f32).to_bits()
}

/// The sum of weighted floats of 16 or 32 bits. The mantissas of all with weights are aligned to the greatest exponent with a
/// few bits more than a mantissa has, what is below is cut off, and the sum is rounded to the format, a half away from zero.
fn float_sum(bits: u8, terms: impl Iterator<Item = (u32, u32)> + Clone) -> u32 {
    /// Bits of a mantissa after its first, the least exponent, and bits that stay below the greatest exponent.
    const FORMATS: [(i32, i32, i32); 2] = [(10, -14, 14), (23, -126, 27)];
    let (mantissa, least, kept) = FORMATS[usize::from(bits == 32)];
    let widen = |raw: u32| if bits == 32 { raw } else { widened(raw as u16) };
    let terms = terms
        .filter(|&(_, weight)| weight != 0)
        .map(|(raw, weight)| (f32::from_bits(widen(raw)), f64::from(weight)));
    let plain: f64 = terms.clone().map(|(value, weight)| f64::from(value) * weight).sum();
    if plain.is_nan() {
        return if bits == 32 { 0x7fff_ffff } else { widened(0x7fff) };
    }
    if plain.is_infinite() {
        return (plain as f32).to_bits();
    }
    let exponent = |value: f64| ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(least);
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    let greatest = terms.clone().map(|(value, _)| exponent(value.into())).max().unwrap_or(least);
    let unit = power(greatest - kept);
    let sum: f64 = terms.map(|(value, weight)| (f64::from(value) / unit).trunc() * weight).sum();
    let sum = sum * unit / 256.0;
    let unit = power(exponent(sum) - mantissa);
    let rounded = (sum / unit).round() * unit;
    (rounded as f32).to_bits()
}

/// The component of the four texels around, in the order of `tld4`: counter-clockwise from the lower left.
pub(crate) fn gather(component: u8, texels: &[Components]) -> Components {
    [2, 3, 1, 0].map(|k| texels[k][usize::from(component)])
}
