//! Seeded inputs in which the awkward values are frequent.

/// SplitMix64: a small generator whose stream is the same everywhere.
pub struct Samples(pub u64);

impl Samples {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// Few set bits, few clear bits, or any.
    fn fraction(&mut self) -> u64 {
        let sparse = 1 << self.below(64) | 1 << self.below(64);
        match self.below(6) {
            0 => 0,
            1 => u64::MAX,
            2 => sparse,
            3 => !sparse,
            _ => self.bits(),
        }
    }

    /// Any `f32`, with zeros, subnormals, infinities, NaN and the ends of the range frequent.
    pub fn f32(&mut self) -> f32 {
        let exponent = match self.below(8) {
            0 => 0,
            1 => [1, 2, 253, 254, 255][self.below(5) as usize],
            2..=4 => 117 + self.below(20) as u32,
            _ => self.below(256) as u32,
        };
        let sign = (self.bits() as u32) << 31;
        f32::from_bits(sign | exponent << 23 | self.fraction() as u32 & 0x7f_ffff)
    }

    /// As [`Samples::f32`].
    pub fn f64(&mut self) -> f64 {
        let exponent = match self.below(8) {
            0 => 0,
            1 => [1, 2, 2045, 2046, 2047][self.below(5) as usize],
            2..=4 => 1000 + self.below(46),
            _ => self.below(2048),
        };
        f64::from_bits(self.bits() << 63 | exponent << 52 | self.fraction() & ((1 << 52) - 1))
    }

    /// Three `f32`s for a·b + c, in which c often almost cancels the product.
    pub fn f32_triple(&mut self) -> (f32, f32, f32) {
        let (a, b) = (self.f32(), self.f32());
        let c = match self.below(4) {
            0 => {
                let near = (-(a * b)).to_bits().wrapping_add(self.below(5) as u32);
                f32::from_bits(near.wrapping_sub(2))
            }
            1 => (a * b) * [6e-8, 1.2e-7, -3e-8, 1.6e7, -3.3e7][self.below(5) as usize],
            _ => self.f32(),
        };
        (a, b, c)
    }

    /// As [`Samples::f32_triple`].
    pub fn f64_triple(&mut self) -> (f64, f64, f64) {
        let (a, b) = (self.f64(), self.f64());
        let c = match self.below(4) {
            0 => {
                let near = (-(a * b)).to_bits().wrapping_add(self.below(5));
                f64::from_bits(near.wrapping_sub(2))
            }
            1 => (a * b) * [1.2e-16, -2.3e-16, 5e-17, 9e15, -1.8e16][self.below(5) as usize],
            _ => self.f64(),
        };
        (a, b, c)
    }
}
