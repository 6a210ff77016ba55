//! Separable smoothing as a problem: images, launches, and the figure of merit.

use chacha20::rand_core::Rng;
use device::Shape;
use device::texture::{Channel, Format, Geometry, Sampler, Shape as Extents};
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, Texels};
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Passes>;

/// Threads of a block, in x and y; a tile is as wide.
pub const THREADS: [u32; 2] = [96, 4];

/// Rows of a tile.
const TILE_ROWS: u32 = 16;

/// Elements of a pixel.
const CHANNELS: u64 = 3;

/// Pixels on each side.
const REACH: i64 = 4;

/// Coefficients in 256ths: with pixels of 8 bits all sums are exact, in any order.
const BINOMIAL: [u16; 9] = [1, 8, 28, 56, 70, 56, 28, 8, 1];

/// Blocks of a multiprocessor that wait for each other: so many have room there.
const TOGETHER: u32 = 4;

/// The most columns of a rectangle.
const DRAWN_MOST: u32 = 150;

const SQUARE: &str = "a square";
const RECTANGLE: &str = "a rectangle";
const ONE_COLUMN: &str = "one column";
const ONE_ROW: &str = "one row";

/// How the host launches the passes of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// A kernel for each.
    Two {
        /// The array between them.
        between: &'static str,
    },
    /// A kernel for each, with a surface between them.
    Surface,
    /// One kernel, all blocks of which run at once.
    Together,
    /// One kernel, a block for each tile.
    Tile,
}

/// An image of three channels, smoothed.
#[derive(Default)]
pub struct Separable;

impl Arrays for Separable {
    type Host = Passes;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 4, 5, 15, 16, 17, 31, 32, 33, 100],
        drawn: &[(1, 120), (1, 120)],
        planned_for_few: &[70],
        repeated: None,
        measured: 4096,
        simulated: 256,
        most: 1 << 14, // an `int` counts all elements
    };
    const KINDS: &'static [&'static str] = &[SQUARE, RECTANGLE, ONE_COLUMN, ONE_ROW];

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "image".to_owned(),
            ..Figure::of_bytes("Smoothing of an image")
        }
    }

    /// Bytes of the image and of the result; what is between does not count.
    fn work(&self, n: u64) -> f64 {
        2.0 * size_of::<f32>() as f64 * CHANNELS as f64 * (n as f64).powi(2)
    }

    fn bytes(&self, n: u64) -> u64 {
        3 * (size_of::<f32>() as u64) * CHANNELS * n * n
    }

    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        match kind {
            RECTANGLE => [u64::from(1 + random.next_u32() % DRAWN_MOST), n, 1],
            ONE_COLUMN => [1, n, 1],
            ONE_ROW => [n, 1, 1],
            _ => [n, n, 1],
        }
    }

    fn data([columns, rows, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let mut bytes = vec![0; (CHANNELS * columns * rows) as usize];
        random.fill_bytes(&mut bytes);
        if kind != SQUARE {
            let white = random.next_u32() as usize % bytes.len();
            bytes[..white].fill(u8::MAX); // sums that are as large as can be
        }
        let expected = smoothed(&bytes, columns as usize);
        let weights = BINOMIAL.map(|weight| f32::from(weight) / 256.0);
        let image: Vec<f32> = bytes.par_iter().map(|&byte| f32::from(byte)).collect();
        let sixteen_bits = Format { channel: Channel::Unsigned, bits: 16, components: 1 };
        let extent = [(CHANNELS * columns) as u32, rows as u32, 1];
        let texels = Extents { geometry: Geometry::Plane, extent, format: sixteen_bits };
        Data::default()
            .input("in", image)
            .scratch("across", size_of::<f32>() * bytes.len())
            .scratch("short across", size_of::<u16>() * bytes.len())
            .scratch("surface", size_of::<u16>() * bytes.len())
            .as_texels(Texels::Array(texels, Sampler::default()))
            .scratch("arrived", size_of::<u32>())
            .output("out", expected, Judge::Exactly)
            .constant("weight", &weights)
    }

    fn calls(step: &Step, [columns, rows, _]: Extent, multiprocessors: u32) -> Vec<Call> {
        let whole = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let (width, rows) = (whole(CHANNELS * columns), whole(rows));
        let [x, y] = THREADS;
        let launch = |kernel, shape, arrays: &[KernelArgument]| {
            let given = [width.into(), rows.into()].into_iter().chain(arrays.iter().copied());
            Call::Launch(Launch { kernel, shape }, given.collect())
        };
        let (from, to) = ("in".into(), "out".into());
        let all = Shape::new([width.div_ceil(x), rows.div_ceil(y)], THREADS);
        let two = |written, read| {
            vec![launch("horizontal", all, &[from, written]), launch("vertical", all, &[read, to])]
        };
        match step.host {
            Passes::Two { between } => two(between.into(), between.into()),
            Passes::Surface => {
                two(KernelArgument::Surface("surface"), KernelArgument::Texture("surface"))
            }
            Passes::Tile => {
                let tiles = Shape::new([width.div_ceil(x), rows.div_ceil(TILE_ROWS)], THREADS);
                vec![launch("both", tiles, &[from, to])]
            }
            Passes::Together => {
                let blocks = (width * rows).div_ceil(x * y).min(TOGETHER * multiprocessors);
                let shape = Shape::new([blocks, 1], THREADS);
                let given = [from, "across".into(), to, "arrived".into()];
                let given = [width.into(), rows.into()].into_iter().chain(given).collect();
                let launch = Launch { kernel: "both", shape };
                vec![Call::Fill("arrived", 0), Call::Together(launch, given)]
            }
        }
    }

    fn place([columns, ..]: Extent, _: &str, i: usize) -> String {
        let (pixel, channel) = (i as u64 / CHANNELS, i as u64 % CHANNELS);
        format!("row {}, column {}, channel {channel}", pixel / columns, pixel % columns)
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks are 96 × 4 threads, whose shape is fixed"))
    }
}

/// An image of interleaved channels, summed with the coefficients in both directions; pixels at the edge go on outside.
fn smoothed(bytes: &[u8], columns: usize) -> Vec<f32> {
    let channels = CHANNELS as usize;
    let width = channels * columns;
    let rows = bytes.len() / width;
    let tap = |at: usize, k: usize, count: usize| {
        (at as i64 + k as i64 - REACH).clamp(0, count as i64 - 1) as usize
    };
    let mut across = vec![0u32; bytes.len()];
    across.par_chunks_exact_mut(width).enumerate().for_each(|(row, sums)| {
        let pixels = &bytes[row * width..][..width];
        for (element, sum) in sums.iter_mut().enumerate() {
            let (column, channel) = (element / channels, element % channels);
            let taps = BINOMIAL.iter().enumerate();
            *sum = taps
                .map(|(k, &weight)| {
                    let from = tap(column, k, columns) * channels + channel;
                    u32::from(weight) * u32::from(pixels[from])
                })
                .sum();
        }
    });
    let mut sums = vec![0u32; bytes.len()];
    sums.par_chunks_exact_mut(width).enumerate().for_each(|(row, sums)| {
        for (k, &weight) in BINOMIAL.iter().enumerate() {
            let from = &across[tap(row, k, rows) * width..][..width];
            sums.iter_mut().zip(from).for_each(|(sum, from)| *sum += u32::from(weight) * from);
        }
    });
    sums.into_par_iter().map(|sum| sum as f32 / 65536.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_spread_over_its_channel() {
        let mut bytes = vec![0; 3 * 11 * 11];
        bytes[3 * (5 * 11 + 5) + 1] = 255;
        let spread = smoothed(&bytes, 11);
        assert_eq!(spread[3 * (5 * 11 + 5) + 1], 255.0 * 70.0 * 70.0 / 65536.0);
        assert_eq!(spread[3 * (4 * 11 + 7) + 1], 255.0 * 56.0 * 28.0 / 65536.0);
        assert_eq!(spread[3 * 11 + 4], 255.0 / 65536.0);
        assert!(spread.iter().step_by(3).all(|&red| red == 0.0));
    }

    #[test]
    fn what_is_the_same_everywhere_stays() {
        assert_eq!(smoothed(&[7; 12], 2), [7.0; 12]);
    }
}
