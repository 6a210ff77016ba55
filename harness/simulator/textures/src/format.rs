//! What a texel is.

use super::error::TextureError;

/// What the bits of a component mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A float of 16 or 32 bits.
    Float,
}

/// What a texel is: components of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    /// What a component's bits mean.
    pub channel: Channel,
    /// Bits of a component: 8, 16 or 32.
    pub bits: u8,
    /// 1, 2 or 4.
    pub components: u8,
}

impl Format {
    /// One `float`.
    pub const F32: Format = Format { channel: Channel::Float, bits: 32, components: 1 };

    /// Bytes of a texel: 1 to 16.
    #[inline]
    pub fn bytes(self) -> u64 {
        u64::from(self.bits / 8) * u64::from(self.components)
    }

    /// Whether its integers can be read as floats from 0 or -1 to 1.
    pub fn can_normalise(self) -> bool {
        self.channel != Channel::Float && self.bits < 32
    }

    /// Refuses what no GPU has.
    pub(super) fn check(self) -> Result<(), TextureError> {
        let Format { channel, bits, components } = self;
        let possible = matches!(components, 1 | 2 | 4)
            && matches!((channel, bits), (Channel::Signed | Channel::Unsigned, 8) | (_, 16 | 32));
        if possible { Ok(()) } else { Err(TextureError::Format { components, bits }) }
    }
}

impl Format {
    /// The bits of a component that a formatted store makes of a register.
    pub fn encode(self, value: u32) -> u32 {
        match (self.channel, self.bits) {
            (Channel::Float, 16) => truncated(value),
            (_, 32) => value,
            (Channel::Unsigned, bits) => value.min((1 << bits) - 1),
            (_, bits) => {
                let most = (1i32 << (bits - 1)) - 1;
                value.cast_signed().clamp(-most - 1, most).cast_unsigned()
            }
        }
    }
}

/// A float as a half, with what does not fit cut off: nothing becomes infinity. A NaN keeps the first bits of its payload.
fn truncated(float: u32) -> u32 {
    /// From the exponent's bias of one format to that of the other, in place.
    const REBIAS: u32 = (127 - 15) << 23;
    let (sign, magnitude) = (float >> 16 & 0x8000, float & 0x7fff_ffff);
    let value = match f32::from_bits(magnitude) {
        nan if nan.is_nan() => 0x7c00 | magnitude >> 13 & 0x3ff,
        f32::INFINITY => 0x7c00,
        great if great >= 65504.0 => 0x7bff,
        normal if magnitude >= (127 - 14) << 23 => (normal.to_bits() - REBIAS) >> 13,
        small => (small * (1 << 24) as f32) as u32,
    };
    sign | value
}
