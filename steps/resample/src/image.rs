//! Images, and the reference: what lies at a position of one, exactly weighted.

use device::texture::AddressMode;

/// Texels of up to three dimensions, x first.
pub struct Image<'a> {
    /// Width, height and depth.
    pub extent: [u64; 3],
    /// Bytes of which a texel is one.
    pub texels: &'a [u8],
    /// What lies outside.
    pub mode: AddressMode,
}

impl Image<'_> {
    /// The texel at indices; 0 is the border.
    pub fn texel(&self, at: [i64; 3]) -> f64 {
        let mut index = 0;
        for axis in (0..3).rev() {
            let Some(inside) = inside(at[axis], self.extent[axis] as i64, self.mode) else {
                return 0.0;
            };
            index = index * self.extent[axis] as usize + inside;
        }
        f64::from(self.texels[index])
    }

    /// The texel that holds a position.
    pub fn nearest(&self, [x, y, z]: [f64; 3]) -> f64 {
        self.texel([x.floor() as i64, y.floor() as i64, z.floor() as i64])
    }

    /// Between the texels around a position, whose centres lie at halves; `axes` of them count.
    pub fn linear(&self, at: [f64; 3], axes: usize) -> f64 {
        let first: [i64; 3] = std::array::from_fn(|axis| match axis < axes {
            true => (at[axis] - 0.5).floor() as i64,
            false => at[axis] as i64,
        });
        let corner = |corner: usize| {
            let mut weight = 1.0;
            let mut index = first;
            for axis in 0..axes {
                let share = at[axis] - 0.5 - first[axis] as f64;
                let far = corner >> axis & 1;
                weight *= if far == 1 { share } else { 1.0 - share };
                index[axis] += far as i64;
            }
            weight * self.texel(index)
        };
        (0..1 << axes).map(corner).sum()
    }
}

/// The index that stands for another of `n`; none is the border.
fn inside(i: i64, n: i64, mode: AddressMode) -> Option<usize> {
    let inside = match mode {
        AddressMode::Clamp => i.clamp(0, n - 1),
        AddressMode::Wrap => i.rem_euclid(n),
        AddressMode::Mirror => {
            let i = i.rem_euclid(2 * n);
            i.min(2 * n - 1 - i)
        }
        AddressMode::Border => i,
    };
    (0..n).contains(&inside).then_some(inside as usize)
}

/// A whole number below 2048 as a 16-bit float.
pub fn half(byte: u8) -> u16 {
    let value = u16::from(byte);
    if value == 0 {
        return 0;
    }
    let exponent = value.ilog2() as u16;
    (exponent + 15) << 10 | (value << (10 - exponent) & 0x3ff)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXELS: [u8; 4] = [10, 20, 30, 40];

    fn image(extent: [u64; 3], mode: AddressMode) -> Image<'static> {
        Image { extent, texels: &TEXELS, mode }
    }

    #[test]
    fn modes_say_what_lies_outside() {
        let at = |mode, i| inside(i, 3, mode);
        assert_eq!([-2, 4].map(|i| at(AddressMode::Clamp, i)), [Some(0), Some(2)]);
        assert_eq!([-1, -4, 4].map(|i| at(AddressMode::Wrap, i)), [Some(2), Some(2), Some(1)]);
        assert_eq!([-1, -4, 3, 6].map(|i| at(AddressMode::Mirror, i)), [0, 2, 2, 0].map(Some));
        assert_eq!([-1, 1, 3].map(|i| at(AddressMode::Border, i)), [None, Some(1), None]);
    }

    #[test]
    fn what_lies_between_texels_is_their_mean() {
        let plane = image([2, 2, 1], AddressMode::Clamp);
        assert_eq!(plane.linear([1.0, 1.0, 0.0], 2), 25.0);
        assert_eq!(plane.linear([0.5, 0.5, 0.0], 2), 10.0);
        assert_eq!(plane.linear([0.75, 0.5, 0.0], 2), 12.5);
        assert_eq!(plane.linear([-3.0, 1.5, 0.0], 2), 30.0);
        assert_eq!(plane.nearest([1.9, 0.1, 0.0]), 20.0);
        assert_eq!(image([2, 1, 2], AddressMode::Border).linear([1.0, 0.5, 1.0], 3), 25.0);
        assert_eq!(image([2, 2, 1], AddressMode::Border).linear([2.0, 1.5, 0.0], 2), 20.0);
    }

    #[test]
    fn halves_of_whole_numbers_are_exact() {
        assert_eq!([0, 1, 2, 3, 255].map(half), [0, 0x3c00, 0x4000, 0x4200, 0x5bf8]);
    }
}
