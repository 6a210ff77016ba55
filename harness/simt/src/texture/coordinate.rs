//! From a coordinate to texels along an axis.

use std::num::FpCategory;

use super::sampler::AddressMode;

/// Bits of a weight.
const WEIGHT_BITS: u32 = 8;
/// Half a texel, in units of a weight.
const HALF: i64 = 1 << (WEIGHT_BITS - 1);

/// An axis of a texture, and how it is sampled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub extent: u32,
    pub address: AddressMode,
    pub normalised: bool,
    /// Whether two neighbours are wanted and not one.
    pub pairs: bool,
}

/// Texels along an axis: `None` is outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub indices: [Option<u32>; 2],
    pub is_pair: bool,
    /// Of the second, in 256ths.
    pub weight: u32,
}

impl Axis {
    /// The texel of a whole coordinate.
    pub(super) fn whole(&self, coordinate: u32) -> Place {
        let index = (coordinate < self.extent).then_some(coordinate);
        Place { indices: [index; 2], is_pair: false, weight: 0 }
    }

    /// The texels at a coordinate: of pairs, the place of the first's middle and the weight of the second, a half rounded up.
    pub(super) fn at(&self, coordinate: f32) -> Place {
        let (place, bits) = self.fixed(coordinate);
        if self.pairs {
            let fixed = ((place + (1 << (bits - WEIGHT_BITS - 1))) >> (bits - WEIGHT_BITS)) - HALF;
            let (first, weight) = (fixed >> WEIGHT_BITS, (fixed & (2 * HALF - 1)) as u32);
            Place { indices: [self.resolve(first), self.resolve(first + 1)], is_pair: true, weight }
        } else {
            let index = self.resolve(place >> bits);
            Place { indices: [index; 2], is_pair: false, weight: 0 }
        }
    }

    /// A coordinate in texels as a fixed-point number, and the bits of its fraction. NaN and subnormal numbers are 0.
    ///
    /// What a normalised coordinate has after 21 bits of fraction is cut off before it is multiplied by the extent; more bits
    /// count only where the extent is so large that the weights need them.
    fn fixed(&self, coordinate: f32) -> (i64, u32) {
        /// Bits that a coordinate always has.
        const LEAST: u32 = 21;
        /// Nothing lies so far outside, and products with extents do not overflow.
        const FAR: f64 = (1u64 << 44) as f64;
        let coordinate = match coordinate.classify() {
            FpCategory::Nan | FpCategory::Subnormal => 0.0,
            _ => f64::from(coordinate),
        };
        if !self.normalised {
            // All that rounding needs: below 1/512, only the sign of what follows matters, and flooring keeps it.
            let cut = (coordinate * (1u64 << LEAST) as f64).floor();
            return (cut.clamp(-FAR, FAR) as i64, LEAST);
        }
        let bits = LEAST.max(self.extent.next_power_of_two().ilog2() + WEIGHT_BITS);
        let cut = (coordinate * (1u64 << bits) as f64).floor();
        let near = match self.address {
            // Two repetitions are a whole period of both; infinity has no place in it.
            AddressMode::Wrap | AddressMode::Mirror => cut.rem_euclid((2u64 << bits) as f64),
            AddressMode::Clamp | AddressMode::Border => cut.clamp(-FAR, FAR),
        };
        (near as i64 * i64::from(self.extent), bits)
    }

    /// The texel that the address mode means.
    fn resolve(&self, index: i64) -> Option<u32> {
        let extent = i64::from(self.extent);
        let address = match self.address {
            AddressMode::Wrap | AddressMode::Mirror if !self.normalised => AddressMode::Clamp,
            address => address,
        };
        let index = match address {
            AddressMode::Clamp => index.clamp(0, extent - 1),
            AddressMode::Wrap => index.rem_euclid(extent),
            AddressMode::Mirror => {
                let twice = index.rem_euclid(2 * extent);
                twice.min(2 * extent - 1 - twice)
            }
            AddressMode::Border => return (0..extent).contains(&index).then_some(index as u32),
        };
        Some(index as u32)
    }
}
