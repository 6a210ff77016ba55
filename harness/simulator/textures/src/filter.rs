//! From texels to the four words of a sample.

use super::footprint::{Footprint, MOST, SLICE};
use super::format::{Channel, Format};
use super::object::Texels;
use super::sampler::Sampler;
use super::srgb;

/// A texel's components: raw, or as the instruction gives them: floats or integers, as bits.
pub type Components = [u32; 4];

impl Sampler {
    /// What a texel's raw components become; those that its format lacks are 0.
    #[inline]
    pub fn decode(&self, format: Format, raw: Components) -> Components {
        let mut components = [0; 4];
        for (k, component) in (0..format.components).zip(&mut components) {
            *component = self.decode_one(format, k, raw[usize::from(k)]);
        }
        components
    }

    /// What a raw component becomes.
    #[inline]
    pub fn decode_one(&self, format: Format, component: u8, raw: u32) -> u32 {
        let floats = self.gives_floats(format);
        let Format { channel, bits, .. } = format;
        match channel {
            _ if component >= format.components => 0,
            Channel::Unsigned if self.srgb && component < 3 && bits == 8 => {
                srgb::decode(raw as u8).to_bits()
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
    #[inline]
    pub fn outside(&self, texels: &Texels) -> Components {
        let Format { channel, bits, .. } = texels.shape().format;
        if matches!(texels, Texels::Linear { .. }) {
            return [0; 4];
        }
        self.border.map(|border| match (channel, bits) {
            (Channel::Float, 16) => semantics::half::f32_to_f16(border).into(),
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
    pub fn sample(
        &self,
        format: Format,
        footprint: &Footprint,
        texels: &[Components],
    ) -> Components {
        if let [one] = texels {
            return self.decode(format, *one);
        }
        let weights = footprint.weights();
        let mut components = [0; 4];
        for (k, component) in components.iter_mut().enumerate().take(format.components.into()) {
            let mut terms = [(0, 0); MOST];
            for ((term, texel), &weight) in terms.iter_mut().zip(texels).zip(weights) {
                *term = (texel[k], weight);
            }
            let terms = &terms[..texels.len()];
            *component = match format.channel {
                Channel::Float => float_sum(format.bits, terms),
                Channel::Unsigned if self.srgb && k < 3 => srgb::sum(terms).to_bits(),
                _ => integer_sum(format, terms),
            };
        }
        components
    }

    /// What the raw component of a texel around becomes: it goes the way of a sum.
    #[inline]
    pub fn gathered(&self, format: Format, component: u8, raw: u32) -> u32 {
        let is_sum = format.channel == Channel::Signed && self.gives_floats(format);
        if is_sum && component < format.components {
            return integer_sum(format, &[(raw, 256)]);
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
        semantics::half::f16_to_f32(half).to_bits()
    }
}

fn sign_extended(raw: u32, bits: u8) -> i32 {
    let unused = 32 - u32::from(bits);
    (raw << unused).cast_signed() >> unused
}

/// The sum of weighted integers as a number from -1 or 0 to 1. It is rounded to 16 bits, a half up; a sum of 8 bits is widened
/// first.
fn integer_sum(format: Format, terms: &[(u32, u32)]) -> u32 {
    let (is_signed, bits) = (format.channel == Channel::Signed, format.bits);
    let value = |raw| if is_signed { sign_extended(raw, bits).into() } else { i64::from(raw) };
    // In 256ths.
    let sum: i64 = terms.iter().map(|&(raw, weight)| value(raw) * i64::from(weight)).sum();
    let (widened, fraction) = match (is_signed, bits) {
        (false, 8) => (sum * 257, 8),
        (true, 8) => {
            // 32 767 of 127 are 258 + 1/127: the sum's own bits are repeated after it, and three bits of fraction stay.
            let eighths = sum << 3;
            (eighths + (eighths >> 7) + (eighths >> 15), 3)
        }
        _ => (sum, 8),
    };
    let greatest = i64::from(low(if is_signed { 15 } else { 16 }));
    let rounded = ((widened + (1 << (fraction - 1))) >> fraction).max(-greatest);
    (rounded as f32 / greatest as f32).to_bits()
}

/// Bits of a float's mantissa after its first, the least exponent, and bits that stay below the greatest exponent of a sum.
#[derive(Debug, Clone, Copy)]
struct Width {
    mantissa: i32,
    least: i32,
    kept: i32,
}

impl Width {
    const HALF: Width = Width { mantissa: 10, least: -14, kept: 14 };
    const SINGLE: Width = Width { mantissa: 23, least: -126, kept: 27 };

    fn exponent(self, value: f64) -> i32 {
        ((value.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(self.least)
    }

    /// The sum of the texels of a slice and the greatest exponent of those that count: to this one all mantissas are aligned,
    /// with a few bits more than a mantissa has, and what is below is cut off.
    fn aligned(self, terms: &[(f32, f64)]) -> Option<(f64, i32)> {
        let terms = terms.iter().filter(|(_, weight)| *weight != 0.0);
        let greatest = terms.clone().map(|&(value, _)| self.exponent(value.into())).max()?;
        let unit = power(greatest - self.kept);
        let sum: f64 =
            terms.map(|&(value, weight)| (f64::from(value) / unit).trunc() * weight).sum();
        Some((sum * unit / 256.0, greatest))
    }
}

/// 2 to a power.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The sum of weighted floats of 16 or 32 bits, rounded to the format, a half away from zero. The sums of both slices of a volume
/// are aligned once more when they are added.
fn float_sum(bits: u8, terms: &[(u32, u32)]) -> u32 {
    let width = if bits == 32 { Width::SINGLE } else { Width::HALF };
    let widen = |raw: u32| if bits == 32 { raw } else { widened(raw as u16) };
    let mut weighted = [(0.0, 0.0); MOST];
    for (weighted, &(raw, weight)) in weighted.iter_mut().zip(terms) {
        *weighted = (f32::from_bits(widen(raw)), f64::from(weight));
    }
    let terms = &weighted[..terms.len()];
    let counted = terms.iter().filter(|(_, weight)| *weight != 0.0);
    let plain: f64 = counted.map(|&(value, weight)| f64::from(value) * weight).sum();
    if plain.is_nan() {
        return if bits == 32 { 0x7fff_ffff } else { widened(0x7fff) };
    }
    if plain.is_infinite() {
        return (plain as f32).to_bits();
    }
    let mut slices = terms.chunks(SLICE).filter_map(|slice| width.aligned(slice));
    let sum = match (slices.next(), slices.next()) {
        (Some((near, one)), Some((far, other))) => {
            /// Bits of a weight, and one more.
            const MORE: i32 = 9;
            let unit = power(one.max(other) - width.kept - MORE);
            ((near / unit).floor() + (far / unit).floor()) * unit
        }
        (Some((only, _)), _) => only,
        (None, _) => 0.0,
    };
    let unit = power(width.exponent(sum) - width.mantissa);
    let rounded = (sum / unit).round() * unit;
    (rounded as f32).to_bits()
}

/// A sample of a level of detail and that of the next one, weighted.
#[inline]
pub fn blend(near: Components, far: Components, weight: u32) -> Components {
    let share = weight as f32 / 256.0;
    let mut blended = near;
    for (value, far) in blended.iter_mut().zip(far) {
        let (near, far) = (f32::from_bits(*value), f32::from_bits(far));
        *value = (near * (1.0 - share) + far * share).to_bits();
    }
    blended
}

/// The component of the four texels around, in the order of `tld4`: counter-clockwise from the lower left.
#[inline]
pub fn gather(component: u8, texels: &[Components]) -> Components {
    [2, 3, 1, 0].map(|k| texels[k][usize::from(component)])
}
