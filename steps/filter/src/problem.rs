//! The convolution as a problem: elements, coefficients, launches, and the figure of merit.

use device::texture::Format;
use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, Texels, drawn, edges, plant,
};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Threads of a block.
pub const THREADS: u32 = 256;

/// Coefficients.
const TAPS: usize = 32;

const NOISE: &str = "noise";
const IMPULSES: &str = "impulses";

/// What the host gives the kernels of a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Where coefficients are.
    pub coefficients: Coefficients,
    /// Results of a thread.
    pub each: u32,
}

/// Where coefficients are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coefficients {
    /// In global memory.
    Array,
    /// In global memory, as a texture.
    Texture,
    /// In constant memory.
    Constant,
    /// In the code: those of a ramp.
    InTheCode,
}

/// Sums of 32 neighbours with coefficients.
#[derive(Default)]
pub struct Filter;

impl Arrays for Filter {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 1023, 1025, 4099],
        drawn: &[(2, 300), (300, 3000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 17,
        most: 1 << 28,
    };
    const KINDS: &'static [&'static str] = &[NOISE, IMPULSES];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure {
            pass: "convolution".to_owned(),
            results: "results".to_owned(),
            ..Figure::of("Convolution with 32 coefficients", "results")
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Elements are read once, results written once.
    fn moved(&self, n: u64) -> f64 {
        (size_of::<f32>() * (TAPS - 1)) as f64 + 2.0 * size_of::<f32>() as f64 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        (size_of::<f32>() as u64) * (2 * n + 2 * TAPS as u64)
    }

    /// Elements of 6 bits and coefficients of 13 with a sign: every sum is exact, in any order, and a half holds no such
    /// coefficient. Those in the code are a ramp, multiples of 1/512.
    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let count = n + TAPS as u64 - 1;
        let elements = match kind {
            // One in each window at most, so that any float does: the sum is one product.
            IMPULSES => {
                let first = drawn(1, random, |word| word as usize % (TAPS + 1))[0];
                let place = |i: usize| i % (TAPS + 1) == first;
                let mut some = drawn(count, random, |word| (word as i32) as f32 / 65_536.0);
                some.truncate((0..count as usize).filter(|&i| place(i)).count());
                // Not subnormal ones: rounding takes their products to zeros of either sign.
                let edges = edges::FLOATS.into_iter().filter(|it| !it.is_subnormal());
                plant(&mut some, &edges.collect::<Vec<f32>>(), random);
                let mut some = some.into_iter();
                let element = |i| if place(i) { some.next().unwrap_or(0.0) } else { 0.0 };
                (0..count as usize).map(element).collect()
            }
            // Sums of small whole numbers times coefficients are exact, in any order.
            _ => drawn(count, random, |word| (word >> 26) as f32 - 32.0),
        };
        let coefficient = |word: u32| ((word >> 19) as f32 - 4096.0) / 4096.0;
        let coefficients = drawn(TAPS as u64, random, coefficient);
        let ramp: Vec<f32> = (1..=TAPS as u16).map(|k| f32::from(k) / 512.0).collect();
        let expected = convolved(&elements, &coefficients);
        let of_ramp = convolved(&elements, &ramp);
        Data::default()
            .input("x", elements)
            .input("f", coefficients.clone())
            .as_texels(Texels::Linear(Format::F32))
            .output("y", expected, Judge::Exactly)
            .output("y of the ramp", of_ramp, Judge::Exactly)
            .constant("f", &coefficients)
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let blocks = u32::try_from(n).unwrap_or(u32::MAX).div_ceil(block * step.host.each);
        let n = i32::try_from(n).unwrap_or(i32::MAX);
        let mut given = vec![n.into(), "x".into()];
        match step.host.coefficients {
            Coefficients::Array => given.push("f".into()),
            Coefficients::Texture => given.push(KernelArgument::Texture("f")),
            Coefficients::Constant | Coefficients::InTheCode => {}
        }
        given.push(match step.host.coefficients {
            Coefficients::InTheCode => "y of the ramp".into(),
            _ => "y".into(),
        });
        vec![Call::Launch(Launch::row("filter", blocks, block), given)]
    }
}

/// The sums of all neighbours times their coefficients.
fn convolved(elements: &[f32], coefficients: &[f32]) -> Vec<f32> {
    let windows = elements.par_windows(coefficients.len());
    windows.map(|window| window.iter().zip(coefficients).map(|(x, f)| x * f).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_slides_over_the_elements() {
        assert_eq!(convolved(&[1.0, 2.0, 4.0, 8.0], &[1.0, 0.5]), [2.0, 4.0, 8.0]);
        assert_eq!(convolved(&[0.0, 0.0, 1.0], &[1.0, 2.0, 3.0]), [3.0]);
    }
}
