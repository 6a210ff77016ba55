//! Resampling as a problem: images, what is expected of each step's result, launches, and the figure of merit.

use chacha20::rand_core::Rng;
use device::Shape;
use device::texture::{AddressMode, Channel, Filter, Format, Geometry, Sampler, Shape as Extents};
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, Texels};
use ladder::judge::Tolerance;
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::Figure;

use super::image::{Image, half};
use super::step::{Host, Step, THREADS};
use super::wavelet;

/// Slices of the volume.
const SLICES: u64 = 256;

/// Rows and columns of an image for each of a slice: a slice is its 256th part.
const PER_SLICE: u64 = 16;

/// Kinds of data, by what lies outside, in the order of CUDA's numbers of the modes from 1 on, and 0.
const KINDS: [(&str, AddressMode, u32); 4] = [
    ("clamped", AddressMode::Clamp, 1),
    ("mirrored", AddressMode::Mirror, 2),
    ("repeated", AddressMode::Wrap, 0),
    ("with a border", AddressMode::Border, 3),
];

/// Weights of the texture unit are multiples of 1/256: each is off by 1/512 at most, of at most 255, in each of three dimensions
/// by which texels differ, and an H100 rounds their products too: of four million results one was off by 1.27 %. Results of noise are
/// 134 in the mean square; of an image of few texels half of all weights may be off
/// by as much.
const WEIGHTS_OF_8_BITS: Tolerance = Tolerance { rms: 0.006, worst: 0.02 };

/// Standard deviation of what f32 computes by itself: two roundings in each of the three interpolations from a line to a volume,
/// and half as much again for images of few texels.
const WEIGHTS_OF_F32: f64 = 9.0e-8;

/// Images at positions that are no texels.
#[derive(Default)]
pub struct Resample;

impl Arrays for Resample {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 16, 31, 33, 161], // of 161 the volume has enough rows that some positions lie above it
        drawn: &[(3, 60)],
        planned_for_few: &[],
        repeated: None,
        measured: 2048,
        simulated: 256,
        most: 4096, // positions keep their distance from the edges of texels
    };
    const KINDS: &'static [&'static str] = &[KINDS[0].0, KINDS[1].0, KINDS[2].0, KINDS[3].0];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "image".to_owned(),
            results: "results".to_owned(),
            ..Figure::of("Resampled images", "positions")
        }
    }

    /// Positions, those of an image before its wavelet transform too; those of a volume are as many where the size is a multiple of 16.
    fn work(&self, n: u64) -> f64 {
        (n as f64).powi(2)
    }

    /// A result is written for each; how much of the image is used differs.
    fn moved(&self, n: u64) -> f64 {
        size_of::<f32>() as f64 * (n as f64).powi(2)
    }

    /// A coloured image and its result are the most.
    fn bytes(&self, n: u64) -> u64 {
        4 * (size_of::<f32>() as u64) * 2 * n * n
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let (_, mode, number) =
            KINDS.into_iter().find(|(name, ..)| *name == kind).unwrap_or(KINDS[0]);
        let m = n.div_ceil(PER_SLICE);
        let mut noise = |count: u64| {
            let mut bytes = vec![0; count as usize];
            random.fill_bytes(&mut bytes);
            bytes
        };
        let (bytes, volume) = (noise(4 * n * n), noise(m * m * SLICES));
        let planes: Vec<&[u8]> = bytes.chunks((n * n) as usize).collect();
        let image = |texels| Image { extent: [n, n, 1], texels, mode };
        let space = Image { extent: [m, m, SLICES], texels: &volume, mode };
        let position = |n: u64, i: u64| turned(n, (i % n) as f64, (i / n) as f64);
        let in_plane = |i: u64| {
            let [x, y] = position(n, i);
            [x, y, 0.0]
        };
        let in_volume = |i: u64| {
            let [x, y] = position(m, i % (m * m));
            [x, y, 0.875 * (i / (m * m)) as f64 + 0.3125]
        };
        let nearest = each(n * n, |i| image(planes[0]).nearest(in_plane(i)) as f32);
        let colours =
            each(4 * n * n, |i| image(planes[(i % 4) as usize]).linear(in_plane(i / 4), 2) as f32);
        let linear: Vec<f32> = colours.iter().step_by(4).copied().collect();
        let slices = each(m * m * SLICES, |i| space.linear(in_volume(i), 3) as f32);
        let nearest_slices = each(m * m * SLICES, |i| space.nearest(in_volume(i)) as f32);

        let sampler =
            |filter| Sampler { address: [mode; 3], filter, normalised: true, ..Sampler::default() };
        let texels = |geometry, extent: [u64; 3], format, filter| {
            let extent = extent.map(|extent| extent as u32);
            Texels::Array(Extents { geometry, extent, format }, sampler(filter))
        };
        let plane = |format, filter| texels(Geometry::Plane, [n, n, 1], format, filter);
        let half_float = Format { channel: Channel::Float, bits: 16, components: 1 };
        let linear_half = plane(half_float, Filter::Linear);
        let four_halves = plane(Format { components: 4, ..half_float }, Filter::Linear);
        let in_space = |filter| texels(Geometry::Space, [m, m, SLICES], Format::F32, filter);
        wavelet::data(n, random)
            .input("image", floats(planes[0]))
            .input("points", floats(planes[0]))
            .as_texels(plane(Format::F32, Filter::Point))
            .input("texture", floats(planes[0]))
            .as_texels(plane(Format::F32, Filter::Linear))
            .input("half texture", halves(planes[0].iter()))
            .as_texels(linear_half)
            .input("volume", floats(&volume))
            .input("volume texture", floats(&volume))
            .as_texels(in_space(Filter::Linear))
            .input("volume points", floats(&volume))
            .as_texels(in_space(Filter::Point))
            .input("red", halves(planes[0].iter()))
            .as_texels(linear_half)
            .input("green", halves(planes[1].iter()))
            .as_texels(linear_half)
            .input("blue", halves(planes[2].iter()))
            .as_texels(linear_half)
            .input("alpha", halves(planes[3].iter()))
            .as_texels(linear_half)
            .input(
                "rgba",
                halves((0..planes[0].len()).flat_map(|i| planes.iter().map(move |p| &p[i]))),
            )
            .as_texels(four_halves)
            .output("nearest", nearest, Judge::Exactly)
            .output("linear", linear, Judge::Deviating(WEIGHTS_OF_F32))
            .output("slices", slices, Judge::Deviating(WEIGHTS_OF_F32))
            .output("nearest slices", nearest_slices, Judge::Exactly)
            .output("colours", colours, Judge::Deviating(WEIGHTS_OF_F32))
            .constant("mode", &[number])
    }

    fn judge(step: &Step, _: &str, stated: Judge) -> Judge {
        match stated {
            Judge::Deviating(_) if step.host.textures => Judge::Within(WEIGHTS_OF_8_BITS),
            _ => stated,
        }
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let Host { from, textures, to } = step.host;
        if let "bands" | "band texels" | "changed" = to {
            return wavelet::calls(step.host, n);
        }
        let (n, slices) = match to {
            "slices" | "nearest slices" => (n.div_ceil(PER_SLICE), SLICES as u32),
            _ => (n, 1),
        };
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let [x, y] = THREADS;
        let shape = Shape::new([n.div_ceil(x), n.div_ceil(y), slices], [x, y, 1]);
        let mut given = vec![n.into()];
        given.extend(from.iter().map(|&name| match textures {
            true => KernelArgument::Texture(name),
            false => KernelArgument::Array(name),
        }));
        given.push(to.into());
        vec![Call::Launch(Launch { kernel: "resample", shape }, given)]
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let how = match step.host {
            Host { to: "band texels" | "changed", .. } => ", as a texture; results to a surface",
            Host { textures: true, .. } => ", as textures",
            Host { textures: false, .. } => "",
        };
        vec![("arrays", format!("{}{how}", step.host.from.join(", ")))]
    }

    /// # Errors
    /// Always: blocks cover a part of the image.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks cover 32 × 8 positions"))
    }
}

/// Results, one after the other.
fn each(count: u64, result: impl Fn(u64) -> f32 + Sync) -> Vec<f32> {
    (0..count as usize).into_par_iter().map(|i| result(i as u64)).collect()
}

/// Where a position of the result lies in the image, in texels. It is never nearer than 1/1024 to the edge of one.
fn turned(n: u64, column: f64, row: f64) -> [f64; 2] {
    let (cosine, sine) = (403.0 / 512.0, 211.0 / 512.0);
    let x = cosine * column - sine * row + (n / 5) as f64 + 1.0 / 1024.0;
    let y = sine * column + cosine * row - (n / 10) as f64 + 1.0 / 1024.0;
    [x, y]
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.par_iter().map(|&byte| f32::from(byte)).collect()
}

fn halves<'b>(bytes: impl Iterator<Item = &'b u8>) -> Vec<u16> {
    bytes.map(|&byte| half(byte)).collect()
}
