//! What the steps compute: the arrays, what is expected of them, the launches and the figure of merit.

use ladder::Launch;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, fraction};
use ladder::judge::Tolerance;
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder. Nothing on the host depends on it; where something does, its type takes the place of `()`.
pub type Step = ladder::Step<()>;

/// Bytes of an element.
const BYTES: u64 = 4;

/// The factor of the first array.
const FACTOR: f32 = 2.5;

/// The product, the sum and the reference are each rounded to `f32`, by at most 2⁻²⁴ of a value that is no larger than the
/// result. A larger error is a mistake.
const ROUNDED: Tolerance = Tolerance { rms: 3.0 * UNIT, worst: 3.0 * UNIT };
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// `out[i] = FACTOR * x[i] + y[i]`
#[derive(Default)]
pub struct Problem;

impl Arrays for Problem {
    type Host = ();

    const SIZES: Sizes = Sizes {
        // Around a warp and a block, where kernels go wrong.
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000],
        // Sizes between these, which the seed of a run draws.
        drawn: &[(300, 5000)],
        // For kernels whose launches depend on the number of multiprocessors.
        planned_for_few: &[],
        // Run twice, and the bits compared, of steps that promise the same bits in each run.
        repeated: Some(1000),
        measured: 1 << 25,
        simulated: 1 << 20,
        most: 1 << 30,
    };
    /// What `data` gets as its second argument, for data of several kinds.
    const KINDS: &'static [&'static str] = &["random numbers"];
    /// No block needs what another one computes: of a launch that is too large for the simulator, some are verified.
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure::of_bytes("Example")
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        3.0 * BYTES as f64 * n as f64
    }

    /// Bytes of all arrays.
    fn bytes(&self, n: u64) -> u64 {
        3 * BYTES * n
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let x: Vec<f32> = drawn(n, random, fraction);
        let y: Vec<f32> = drawn(n, random, fraction);
        let exact = |x: f32, y: f32| f64::from(FACTOR) * f64::from(x) + f64::from(y);
        let pairs = x.par_iter().zip(&y);
        let expected: Vec<f32> = pairs.map(|(&x, &y)| exact(x, y) as f32).collect();
        Data::default().input("x", x).input("y", y).output("out", expected, Judge::Within(ROUNDED))
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let given = vec![n.into(), FACTOR.into(), "x".into(), "y".into(), "out".into()];
        vec![Call::Launch(Launch::row("saxpy", n.div_ceil(block), block), given)]
    }
}
