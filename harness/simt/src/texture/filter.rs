//! From texels to the four words of a sample.

use super::footprint::{Footprint, MOST};
use super::format::{Channel, Format};
use super::object::Texels;
use super::sampler::Sampler;

/// A texel's components as the instruction gives them: floats or integers, as bits.
pub(crate) type Components = [u32; 4];

impl Sampler {
    /// What a texel's raw components become; those that its format lacks are 0, and the fourth 1.
    pub(crate) fn decode(&self, format: Format, raw: Components) -> Components {
        let floats = self.gives_floats(format);
        let mut components = [0, 0, 0, if floats { 1f32.to_bits() } else { 1 }];
        for (k, raw) in raw.into_iter().enumerate().take(format.components.into()) {
            components[k] = match (format.channel, format.bits) {
                _ if self.srgb
                    && k < 3
                    && format.channel == Channel::Unsigned
                    && format.bits == 8 =>
                {
                    super::srgb::decode(raw as u8).to_bits()
                }
                (Channel::Float, 16) => crate::semantics::half::f16_to_f32(raw as u16).to_bits(),
                (Channel::Float, _) => raw,
                (Channel::Unsigned, bits) if floats => {
                    (raw as f32 / ((1u32 << bits) - 1) as f32).to_bits()
                }
                (Channel::Signed, bits) if floats => {
                    let value = sign_extended(raw, bits) as f32 / ((1u32 << (bits - 1)) - 1) as f32;
                    value.max(-1.0).to_bits()
                }
                (Channel::Signed, bits) => sign_extended(raw, bits).cast_unsigned(),
                (Channel::Unsigned, _) => raw,
            };
        }
        components
    }

    /// What lies outside: nothing after the end of linear memory, else the border.
    pub(crate) fn outside(&self, texels: &Texels) -> Components {
        match texels {
            Texels::Linear { .. } => [0; 4],
            _ => self.border.map(f32::to_bits),
        }
    }
}

fn sign_extended(raw: u32, bits: u8) -> i32 {
    let unused = 32 - u32::from(bits);
    (raw << unused).cast_signed() >> unused
}

/// The sample that decoded texels make.
pub(crate) fn filter(footprint: &Footprint, texels: &[Components]) -> Components {
    if let [one] = texels {
        return *one;
    }
    let mut weights = [1.0; MOST];
    for (axis, &w) in footprint.weights.iter().enumerate() {
        let [first, second] = [256 - w, w].map(|w| f64::from(w) / 256.0);
        for (k, weight) in weights[..texels.len()].iter_mut().enumerate() {
            *weight *= if k >> axis & 1 == 0 { first } else { second };
        }
    }
    std::array::from_fn(|component| {
        let mut sum = 0.0;
        for (texel, weight) in texels.iter().zip(&weights) {
            sum += weight * f64::from(f32::from_bits(texel[component]));
        }
        (sum as f32).to_bits()
    })
}

/// The component of the four texels around, in the order of `tld4`: counter-clockwise from the lower left.
pub(crate) fn gather(component: u8, texels: &[Components]) -> Components {
    [2, 3, 1, 0].map(|k| texels[k][usize::from(component)])
}
