//! A stage of a wavelet transform in the vertical direction, and the experiment with changes that are not seen.

use device::Shape;
use device::texture::{Filter, Format, Geometry, Sampler, Shape as Extents};
use ladder::Launch;
use ladder::arrays::{Call, Data, Judge, KernelArgument, Random, Texels, drawn};
use rayon::prelude::*;

use super::step::{Host, THREADS};

/// Weights of rows, in 512ths: the 16 coefficients of the wavelet sym8, rounded, so that all sums are exact.
const TAPS: [i16; 16] = [-2, 0, 16, 4, -73, -31, 246, 398, 187, -27, -14, 25, 2, -8, 0, 1];

/// The first row that a pair of results is made of lies so many before its own.
const BEFORE: u64 = 7;

/// What elements of the experiment are at first: small whole numbers, which additions leave exact.
const LEAST: u32 = 64;

/// Rows of the image, of which a stage takes two at a time.
fn rows(n: u64) -> u64 {
    n.next_multiple_of(2)
}

/// The weights of the low band, and of the high one.
fn taps() -> [[f32; 16]; 2] {
    let low = TAPS.map(|tap| f32::from(tap) / 512.0);
    let high = std::array::from_fn(|k| if k % 2 == 0 { low[15 - k] } else { -low[15 - k] });
    [low, high]
}

/// Pixels of four components, with their bands: those of two rows each, low ones above and high ones below. And what the
/// experiment begins with, with what is promised after two launches.
pub fn data(n: u64, random: &mut Random) -> Data {
    let rows = rows(n);
    let row = 4 * n as usize;
    let pixels: Vec<f32> = drawn(4 * n * rows, random, |word| (word >> 24) as f32);
    let taps = taps();
    let mut bands = vec![0.0; pixels.len()];
    bands.par_chunks_mut(row).zip(0..rows as usize).for_each(|(to, place)| {
        let (band, i) = (place as u64 / (rows / 2), place as u64 % (rows / 2));
        for (k, tap) in (0..).zip(taps[band as usize]) {
            let from = ((2 * i + k + TAPS.len() as u64 * rows - BEFORE) % rows) as usize;
            let pixels = &pixels[from * row..][..row];
            to.iter_mut().zip(pixels).for_each(|(sum, pixel)| *sum += tap * pixel);
        }
    });
    let numbers: Vec<f32> = drawn(n * n, random, |word| (LEAST + word % LEAST) as f32);
    let changed: Vec<f32> = numbers.par_iter().map(|it| it + 2.0).collect();
    let sampler = Sampler { filter: Filter::Point, ..Sampler::default() };
    let plane = |rows: u64, components| {
        let format = Format { components, ..Format::F32 };
        let extent = [n as u32, rows as u32, 1];
        Texels::Array(Extents { geometry: Geometry::Plane, extent, format }, sampler)
    };
    Data::default()
        .input("pixels", pixels.clone())
        .input("pixel texels", pixels)
        .as_texels(plane(rows, 4))
        .output("bands", bands.clone(), Judge::Exactly)
        .output("band texels", bands, Judge::Exactly)
        .as_texels(plane(rows, 4))
        .input("numbers", numbers)
        .output("changed", changed, Judge::UpTo(2.0))
        .as_texels(plane(n, 1))
        .constant("taps", &taps)
}

/// The launches of a step: one for the stage; of the experiment one that sets the elements, and two that change them.
pub fn calls(host: Host, n: u64) -> Vec<Call> {
    let [x, y] = THREADS;
    let launch = |kernel, rows: u64| {
        let blocks = [n.div_ceil(x.into()) as u32, rows.div_ceil(y.into()) as u32];
        Launch { kernel, shape: Shape::new(blocks, [x, y]) }
    };
    let count = KernelArgument::from(n as i32);
    match (host.to, host.textures) {
        ("changed", _) => {
            let given =
                vec![count, KernelArgument::Texture("changed"), KernelArgument::Surface("changed")];
            let change = Call::Launch(launch("resample", n), given);
            let set = vec![count, "numbers".into(), KernelArgument::Surface("changed")];
            vec![Call::Launch(launch("set", n), set), change.clone(), change]
        }
        (to, true) => {
            let given =
                vec![count, KernelArgument::Texture(host.from[0]), KernelArgument::Surface(to)];
            vec![Call::Launch(launch("resample", rows(n) / 2), given)]
        }
        (to, false) => {
            let given = vec![count, host.from[0].into(), to.into()];
            vec![Call::Launch(launch("resample", rows(n) / 2), given)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The high band's weights have no sum, the low band's one of √2, and the two are orthogonal: as far as rounded
    /// weights can.
    #[test]
    fn bands_are_those_of_a_wavelet() {
        let [low, high] = taps();
        let sum = |taps: [f32; 16]| taps.iter().sum::<f32>();
        assert!((sum(low) - 2f32.sqrt()).abs() < 0.01, "{}", sum(low));
        assert!(sum(high).abs() < 0.01, "{}", sum(high));
        let product: f32 = low.iter().zip(&high).map(|(a, b)| a * b).sum();
        assert!(product.abs() < 1e-6, "{product}");
        let energy: f32 = low.iter().map(|it| it * it).sum();
        assert!((energy - 1.0).abs() < 0.01, "{energy}");
    }
}
