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
    /// Texels that are added to the place.
    pub offset: i64,
}

/// Texels along an axis: `None` is outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub indices: [Option<u32>; 2],
    pub is_pair: bool,
    /// Of the second, in 256ths.
    pub weight: u32,
}

/// Two neighbours along an axis, wherever they lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub first: i64,
    /// Of the second, in 256ths.
    pub weight: u32,
}

/// A coordinate in texels as a fixed-point number.
#[derive(Debug, Clone, Copy)]
struct Fixed {
    place: i64,
    /// Bits of its fraction.
    bits: u32,
}

impl Fixed {
    /// The texels whose middles lie on both sides. The weight is rounded, a half up.
    fn pair(self) -> Pair {
        let Fixed { place, bits } = self;
        let fixed = ((place + (1 << (bits - WEIGHT_BITS - 1))) >> (bits - WEIGHT_BITS)) - HALF;
        Pair { first: fixed >> WEIGHT_BITS, weight: (fixed & (2 * HALF - 1)) as u32 }
    }
}

/// Bits of a fraction that a coordinate always has.
const LEAST: u32 = 21;
/// Nothing lies so far outside, and products with extents do not overflow.
const FAR: f64 = (1u64 << 44) as f64;

/// NaN and subnormal numbers are 0.
fn flushed(coordinate: f32) -> f64 {
    match coordinate.classify() {
        FpCategory::Nan | FpCategory::Subnormal => 0.0,
        _ => f64::from(coordinate),
    }
}

impl Axis {
    /// The texel of a whole coordinate.
    pub(super) fn whole(&self, coordinate: u32) -> Place {
        let index = i64::from(coordinate.cast_signed()) + self.offset;
        let index = (0..i64::from(self.extent)).contains(&index).then_some(index as u32);
        Place { indices: [index; 2], is_pair: false, weight: 0 }
    }

    /// The texels at a coordinate.
    pub(super) fn at(&self, coordinate: f32) -> Place {
        self.place(self.fixed(coordinate))
    }

    /// The texels at a place on a cube's face, from -1 to 1.
    pub(super) fn on_face(&self, place: f32) -> Place {
        self.place(self.fixed_on_face(place))
    }

    /// Both texels at a place on a cube's face, on this face or not.
    pub(super) fn pair_on_face(&self, place: f32) -> Pair {
        self.fixed_on_face(place).pair()
    }

    fn place(&self, fixed: Fixed) -> Place {
        if self.pairs {
            let Pair { first, weight } = fixed.pair();
            let first = first + self.offset;
            // Clamped to one texel, a coordinate has no fraction.
            let is_one = self.effective() == AddressMode::Clamp
                && !(0..i64::from(self.extent) - 1).contains(&first);
            let weight = if is_one { 0 } else { weight };
            Place { indices: [self.resolve(first), self.resolve(first + 1)], is_pair: true, weight }
        } else {
            let index = self.resolve((fixed.place >> fixed.bits) + self.offset);
            Place { indices: [index; 2], is_pair: false, weight: 0 }
        }
    }

    /// Bits of the fraction of a normalised coordinate: more than the least only where the extent is so large that the weights
    /// need them.
    fn bits(&self) -> u32 {
        LEAST.max(self.extent.next_power_of_two().ilog2() + WEIGHT_BITS)
    }

    /// A coordinate in texels. What a normalised one has after its bits of fraction is cut off before it is multiplied by
    /// the extent.
    fn fixed(&self, coordinate: f32) -> Fixed {
        let coordinate = flushed(coordinate);
        if !self.normalised {
            // All that rounding needs: below 1/512, only the sign of what follows matters, and flooring keeps it.
            let cut = (coordinate * (1u64 << LEAST) as f64).floor();
            return Fixed { place: cut.clamp(-FAR, FAR) as i64, bits: LEAST };
        }
        let bits = self.bits();
        let cut = (coordinate * (1u64 << bits) as f64).floor();
        let near = match self.address {
            // Two repetitions are a whole period of both; infinity has no place in it.
            AddressMode::Wrap | AddressMode::Mirror => cut.rem_euclid((2u64 << bits) as f64),
            AddressMode::Clamp | AddressMode::Border => cut.clamp(-FAR, FAR),
        };
        Fixed { place: near as i64 * i64::from(self.extent), bits }
    }

    /// A place on a cube's face in texels.
    fn fixed_on_face(&self, place: f32) -> Fixed {
        let bits = self.bits();
        let half = (1u64 << (bits - 1)) as f64;
        let from_middle = (flushed(place) * half).floor().clamp(-FAR, FAR);
        Fixed { place: (from_middle + half) as i64 * i64::from(self.extent), bits }
    }

    /// The address mode that counts.
    fn effective(&self) -> AddressMode {
        match self.address {
            AddressMode::Wrap | AddressMode::Mirror if !self.normalised => AddressMode::Clamp,
            address => address,
        }
    }

    /// The texel that the address mode means.
    fn resolve(&self, index: i64) -> Option<u32> {
        let extent = i64::from(self.extent);
        let index = match self.effective() {
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
