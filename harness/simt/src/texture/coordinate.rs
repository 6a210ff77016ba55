//! From a coordinate to texels along an axis.

use super::sampler::AddressMode;

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
        let index = self.resolve(i64::from(coordinate.cast_signed()));
        Place { indices: [index; 2], is_pair: false, weight: 0 }
    }

    /// The texels at a coordinate.
    pub(super) fn at(&self, coordinate: f32) -> Place {
        let texels = if self.normalised { coordinate * self.extent as f32 } else { coordinate };
        if self.pairs {
            let fixed = (f64::from(texels) * 256.0 - 128.0).round_ties_even() as i64;
            let (first, weight) = (fixed >> 8, (fixed & 255) as u32);
            Place { indices: [self.resolve(first), self.resolve(first + 1)], is_pair: true, weight }
        } else {
            let index = self.resolve(texels.floor() as i64);
            Place { indices: [index; 2], is_pair: false, weight: 0 }
        }
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
