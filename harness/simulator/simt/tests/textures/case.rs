//! A case: a texture of pseudo-random texels, and coordinates at all edges.
//!
//! Everything follows from a case's number, so that only the results need to be recorded. A case in the sampler's file is
//! its opcode (32 bytes), the fields of [`Case`] as words in their order, the number of samples and of the texels' bytes,
//! the texels, and four words for each sample: its coordinates in the order of the instruction's operand.

/// What a texture's memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Geometry {
    Row,
    Plane,
    Space,
    Rows,
    Planes,
    Cube,
    Cubes,
    /// Linear memory.
    Linear,
    /// Linear memory in two dimensions.
    Pitch,
}

/// A channel's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Signed,
    Unsigned,
    Float,
}

/// How texels are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Texels hold their own place: x, y, z (or layer), face.
    Ramp,
    /// Any bits.
    Wild,
    /// Floats of similar size; whole words of integers.
    Even,
    /// Floats of sizes from 2⁻²⁰ to 2²⁰.
    Wide,
    /// 0, 1, 2 …: every value of an 8-bit format.
    Every,
}

/// Samples of one texture by one instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub number: u32,
    pub opcode: String,
    pub geometry: Geometry,
    /// Width, height, depth or layers (or faces).
    pub extent: [u32; 3],
    pub kind: Kind,
    pub bits: u32,
    pub components: u32,
    pub linear: bool,
    /// 0 wrap, 1 clamp, 2 mirror, 3 border.
    pub address: u32,
    pub normalised: bool,
    pub as_float: bool,
    pub srgb: bool,
    pub seamless: bool,
    pub border: [f32; 4],
    pub content: Content,
    pub samples: u32,
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// From 0 to 1, without 1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }
}

impl Case {
    fn words(&self) -> Vec<u32> {
        let mut words = vec![self.geometry as u32];
        words.extend(self.extent);
        words.extend([self.kind as u32, self.bits, self.components, self.linear.into()]);
        words.extend([self.address, self.normalised.into(), self.as_float.into()]);
        words.extend([u32::from(self.srgb), self.seamless.into()]);
        words.extend(self.border.map(f32::to_bits));
        words
    }

    /// The case as the sampler reads it.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.opcode.clone().into_bytes();
        bytes.resize(32, 0);
        let texels = self.texels();
        let coordinates = self.coordinates();
        let sizes = [self.samples, texels.len() as u32];
        bytes.extend(self.words().into_iter().chain(sizes).flat_map(u32::to_le_bytes));
        bytes.extend(texels);
        bytes.extend(coordinates.into_iter().flatten().flat_map(u32::to_le_bytes));
        bytes
    }

    /// The array's bytes.
    pub fn texels(&self) -> Vec<u8> {
        let mut random = Random(u64::from(self.number) << 32 | 1);
        let [width, height, depth] = self.extent;
        let mut bytes = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    for component in 0..self.components {
                        let bits = match self.content {
                            Content::Ramp => self.place([x, y, z], component),
                            Content::Every => x,
                            _ => self.texel(&mut random),
                        };
                        bytes.extend_from_slice(&bits.to_le_bytes()[..self.bits as usize / 8]);
                    }
                }
            }
        }
        bytes
    }

    fn place(&self, [x, y, z]: [u32; 3], component: u32) -> u32 {
        let cube = matches!(self.geometry, Geometry::Cube | Geometry::Cubes);
        let value = match (component, cube) {
            (0, _) => x,
            (1, _) => y,
            (2, true) => z % 6,
            (2, false) => z,
            _ => z / 6,
        };
        if self.kind == Kind::Float { (value as f32).to_bits() } else { value }
    }

    fn texel(&self, random: &mut Random) -> u32 {
        let bits = random.next() as u32;
        let exponents = match self.content {
            Content::Even => 4,
            Content::Wide => 40,
            _ => return bits,
        };
        match (self.kind, self.bits) {
            (Kind::Float, 16) => {
                let exponent = 15 - exponents.min(24) / 2 + random.below(exponents.min(24));
                bits & 0x83ff | exponent << 10
            }
            (Kind::Float, _) => {
                bits & 0x807f_ffff | (127 - exponents / 2 + random.below(exponents)) << 23
            }
            _ => bits,
        }
    }

    /// Whether a coordinate is an integer by the instruction.
    fn takes_integers(&self) -> bool {
        self.opcode.ends_with(".s32") || self.opcode.starts_with("su")
    }

    /// Bytes of a texel, by which a surface's x counts.
    fn unit(&self) -> u32 {
        if self.opcode.starts_with("sust.b") || self.opcode.starts_with("suld") {
            self.components * self.bits / 8
        } else {
            1
        }
    }

    /// The coordinates of each sample.
    pub fn coordinates(&self) -> Vec<[u32; 4]> {
        let mut random = Random(u64::from(self.number) << 32 | 2);
        (0..self.samples).map(|k| self.coordinate(&mut random, k)).collect()
    }

    fn coordinate(&self, random: &mut Random, k: u32) -> [u32; 4] {
        let [width, height, depth] = self.extent;
        let layered = matches!(self.geometry, Geometry::Rows | Geometry::Planes | Geometry::Cubes);
        if matches!(self.geometry, Geometry::Cube | Geometry::Cubes) {
            let [x, y, z] = direction(random, k);
            let layers = depth / 6;
            let cubes = self.geometry == Geometry::Cubes;
            return if cubes { [layer(random, layers), x, y, z] } else { [x, y, z, 0] };
        }
        if self.content == Content::Every {
            return [k % width, 0, 0, 0];
        }
        let mut axes = [0; 4];
        for (axis, extent) in axes.iter_mut().zip([width, height, depth, 1]) {
            *axis = if self.takes_integers() {
                let unit = if extent == width { self.unit() } else { 1 };
                integer(random, k, extent).wrapping_mul(unit)
            } else {
                self.float(random, k, extent)
            };
        }
        let [x, y, z, w] = axes;
        match () {
            () if self.opcode.starts_with("tex.grad") || self.opcode.starts_with("tex.level") => {
                [x, y, ((k % 7) as f32 / 4.0).to_bits(), ((k % 11) as f32 - 3.0).to_bits()]
            }
            () if self.opcode.starts_with("sust.p") => [x, y, 0, k],
            () if layered => [layer(random, depth), x, y, 0],
            () => [x, y, z, w],
        }
    }

    /// A coordinate on an axis of this extent.
    fn float(&self, random: &mut Random, k: u32, extent: u32) -> u32 {
        let size = extent as f32;
        let ulps = |value: f32, random: &mut Random| {
            f32::from_bits(value.to_bits().wrapping_add(random.below(5)).wrapping_sub(2))
        };
        let scale = |texels: f32| if self.normalised { texels / size } else { texels };
        let inside = random.unit() * size;
        let step = random.below(256 * extent) as f32 / 256.0;
        let value = match (k + random.below(2)) % 12 {
            0 | 1 => scale(inside),
            2 => scale(inside * 5.0 - 2.0 * size),
            3 => scale(step),
            4 => ulps(scale(step), random),
            5 => ulps(scale(step + 1.0 / 512.0), random),
            6 => scale(step.floor() + 0.5),
            7 => ulps(scale(step.floor() + 0.5), random),
            8 => ulps(scale(step.floor()), random),
            9 => ulps(scale(step * 5.0 - 2.0 * size + 1.0 / 512.0), random),
            10 => ulps(random.below(9) as f32 - 4.0, random),
            _ => SPECIAL[random.below(SPECIAL.len() as u32) as usize],
        };
        value.to_bits()
    }
}

const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e10,
    -1e10,
    f32::MAX,
    f32::MIN,
    1e-40,
    -1e-40,
    1e-8,
    -1e-8,
    0.999_999_94,
    -0.000_976_562_5,
    32767.996,
    32768.004,
    65536.5,
    -65536.5,
    8_388_608.5,
    16_777_216.0,
    2_147_483_600.0,
    -2_147_483_600.0,
    4_294_967_300.0,
];

/// A coordinate of whole texels.
fn integer(random: &mut Random, k: u32, extent: u32) -> u32 {
    match k % 4 {
        0..3 => random.below(extent),
        _ => match random.below(6) {
            0 => u32::MAX,
            1 => extent,
            2 => random.next() as u32,
            3 => extent + random.below(extent),
            4 => 0u32.wrapping_sub(random.below(2 * extent)),
            _ => 0x8000_0000,
        },
    }
}

/// A layer, mostly one that there is.
fn layer(random: &mut Random, layers: u32) -> u32 {
    match random.below(16) {
        0 => layers,
        1 => u32::MAX,
        2 => random.next() as u32,
        3 => random.below(2 * layers),
        4 => layers + 0x10000,
        _ => random.below(layers),
    }
}

/// A direction from a cube's middle.
fn direction(random: &mut Random, k: u32) -> [u32; 3] {
    let mut of = [0.0f32; 3];
    for axis in &mut of {
        let any = random.unit() * 2.0 - 1.0;
        *axis = match (k % 8, random.below(8)) {
            (0..4, _) => any,
            (4, _) => (random.below(5) as f32 - 2.0) / 2.0,
            (5, 0..4) => 1.0,
            (5, _) => any,
            (6, _) => (random.below(17) as f32 - 8.0) / 8.0,
            (7, 0) => SPECIAL[random.below(SPECIAL.len() as u32) as usize],
            (_, n) => any * (n as f32 * 7.0 - 28.0).exp2(),
        };
    }
    of.map(f32::to_bits)
}
