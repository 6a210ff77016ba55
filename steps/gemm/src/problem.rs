//! The product as a problem: shapes, data, launches, and the figure of merit.

use std::ops::Range;
use std::sync::Arc;

use chacha20::rand_core::Rng;
use device::PADDED_TO;
use ladder::BlockError;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, chosen};
use ladder::problem::{Growth, OptionError, ProblemOption, Sample, Shape as NamedSizes};
use rayon::prelude::*;
use report::{Figure, NamedSize, Request};

use super::libraries;
use super::matrices::{elements, factor, normal, padded, signs, transposed, whole};
use super::plan::{self, Plan};
use super::precision::{self, Precision};
use super::residues::{Matrices, Product};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes: C is m × n, and each of its elements is a sum of k products.
const NAMES: [&str; 3] = ["m", "n", "k"];

/// C = α A B + β C, of matrices whose rows lie one after the other.
#[derive(Default)]
pub struct Gemm {
    shape: NamedSizes<3>,
}

const SQUARE: &str = "a square";
const RAGGED: &str = "any shape";
const WHOLE: &str = "whole numbers";
const WIDE: &str = "few rows";
const TALL: &str = "few columns";
const LONG: &str = "long sums";
const ONE_ROW: &str = "one row";
const ONE_COLUMN: &str = "one column";
const ONE_TERM: &str = "one term";
/// So many that tiles are in several groups, whose rows share what they load of B.
const MANY_ROWS: &str = "many rows";
const ENDS: &str = "ends of rows";

/// Columns that half of the matrices of this kind have more.
const WIDER: u64 = 256;

/// Elements of a matrix: an `int` counts them.
const MOST_ELEMENTS: u64 = i32::MAX as u64;

/// Columns and rows of a tile whose corners are compared.
const TILE: u64 = 128;

/// Multiplications of the reference: a fraction of a second.
const REFERENCE: u64 = 1 << 26;

/// Elements that are compared where sums are long.
const FEWEST: u64 = 1 << 10;

/// The size of a square product of which all blocks are run, for the time of a larger one, on tensor cores and without them.
const SAMPLED: u64 = 1536;
const SAMPLED_FP32: u64 = 768;

/// As many tiles side by side are enough where they are small: such kernels take longer.
const TILES: u64 = 12;

impl Arrays for Gemm {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 33, 130],
        drawn: &[(2, 140)],
        planned_for_few: &[],
        repeated: Some(100),
        measured: 4096,
        simulated: 256,
        most: 1 << 20,
    };
    const KINDS: &'static [&'static str] =
        &[SQUARE, RAGGED, WHOLE, WIDE, TALL, LONG, ONE_ROW, ONE_COLUMN, ONE_TERM, MANY_ROWS];
    const ALONE: (&'static str, Range<u64>, u32) = (ENDS, 128..256, 1);
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("m", "Rows of C"),
        ProblemOption::size("n", "Columns of C"),
        ProblemOption::size("k", "Terms of the sum that is an element of C"),
    ];
    const BLOCKS_ALONE: bool = true;
    const GROWTH: Growth = Growth::Product;

    fn open(request: &Request) -> Result<Gemm, OptionError> {
        let (measured, most) = (Self::SIZES.measured, Self::SIZES.most);
        let shape = NamedSizes::open(request, NAMES, measured, most)?;
        let size = request.size.or_else(|| shape.implied_size()).unwrap_or(measured);
        let [m, n, k] = shape.at(size);
        if (m * n).max(k * m.max(n)) > MOST_ELEMENTS {
            let (option, value) = shape.largest_named(NAMES).unwrap_or(("size", size));
            return Err(OptionError::Value {
                option,
                value: value.to_string(),
                possible: format!(
                    "a matrix of {m} × {k}, {k} × {n} or {m} × {n} would have more than 2³¹ - 1 elements"
                ),
            });
        }
        Ok(Gemm { shape })
    }

    fn implied_size(&self) -> Option<u64> {
        self.shape.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        self.shape.named(NAMES, n)
    }

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "product".to_owned(),
            scale: 1e12,
            unit: "TFLOP/s".to_owned(),
            ..Figure::of("Product of matrices", "floating-point operations")
        }
    }

    /// Multiplications and additions.
    fn work(&self, n: u64) -> f64 {
        let [m, n, k] = self.shape.at(n).map(|it| it as f64);
        2.0 * m * n * k
    }

    /// A and B of 16 bits, C of 32.
    fn moved(&self, n: u64) -> f64 {
        let [m, n, k] = self.shape.at(n).map(|it| it as f64);
        2.0 * k * (m + n) + 4.0 * m * n
    }

    fn bytes(&self, n: u64) -> u64 {
        let [m, n, k] = self.shape.at(n);
        4 * (m * k + k * n + m * n)
    }

    /// m, n and k. Those that are drawn are no multiples of anything.
    fn extent(&self, size: u64, kind: &str, random: &mut Random) -> Extent {
        let mut about = |size: u64| 1 + random.next_u64() % (size + size / 2);
        match kind {
            RAGGED | WHOLE => [about(size), about(size), about(size)],
            WIDE => [about(size / 8 + 1), 2 * size + 1, about(size)],
            TALL => [2 * size + 1, about(size / 8 + 1), about(size)],
            LONG => [about(20), about(20), 6 * size + about(size)], // more parts than are added in a round
            ONE_ROW => [1, size, about(size)],
            ONE_COLUMN => [size, 1, about(size)],
            ONE_TERM => [size, about(size), 1],
            // In tiles with most of their rows a row ends in each eighth column of a tile and in the one after it, which
            // are first, second, third and last of a thread's neighbours. With β there is one more tile beside it.
            ENDS => {
                let (eight, odd, with_beta) = (size % 32, size / 32 % 2, size / 64 % 2);
                [
                    113 + size % 16,
                    8 * eight + 2 * (eight % 4) + 1 + odd + WIDER * with_beta,
                    about(2),
                ]
            }
            MANY_ROWS => [16 * size + 97, about(size), about(2)],
            _ => self.shape.at(size),
        }
    }

    fn data([m, n, k]: Extent, kind: &str, random: &mut Random) -> Data {
        let numbers = if kind == WHOLE { whole } else { normal };
        let [alpha, beta] = match kind {
            SQUARE => [1.0, 0.0],
            WHOLE => [-3.0, 2.0],
            WIDE => [1.0, factor(random)],
            TALL => [factor(random), 1.0],
            ONE_COLUMN => [factor(random), 0.0],
            ENDS if n <= WIDER => [factor(random), 0.0],
            _ => [factor(random), factor(random)],
        };
        let (a, b) = (numbers(m * k, random), numbers(k * n, random));
        // Else it is not to be read: it holds no numbers.
        let c = (beta != 0.0).then(|| numbers(m * n, random));
        let most = (REFERENCE / k).max(FEWEST);
        let at = chosen([n, m, 1], TILE, most as usize, random);
        let signs = signs(n, random);

        let reference = |a: &[f32], b: &[f32]| {
            let matrices = Matrices { a, b, c: c.as_deref(), alpha, beta };
            let expected = elements(&matrices, [n as usize, k as usize], &at);
            let squares: f64 = expected.iter().map(|&it| f64::from(it).powi(2)).sum();
            let rms = (squares / expected.len() as f64).sqrt();
            let product = Product::new(&matrices, k as usize, signs.clone(), rms);
            (expected, rms, Arc::new(product))
        };
        // What a random element of the result would be: few may happen to be small, and their errors are not.
        let typical = (f64::from(alpha) * (k as f64).sqrt()).hypot(f64::from(beta));
        let output =
            |data: Data,
             precision: Precision,
             (expected, rms, product): &(Vec<f32>, f64, Arc<Product>)| {
                let deviation = precision.deviation(k) * (typical / rms).max(1.0);
                let judge =
                    if kind == WHOLE { Judge::Exactly } else { Judge::Deviating(deviation) };
                let all = (m * n) as usize;
                let data = data.sampled_output(
                    precision.names().c,
                    all,
                    (at.clone(), expected.clone()),
                    judge,
                );
                let data = if at.len() < all { data.with_residues(product.clone()) } else { data };
                c.iter().fold(data, |data, c| data.holding(c.clone()))
            };
        let mut data = Data::default().scalar("alpha", alpha).scalar("beta", beta);
        for precision in [Precision::Bf16, Precision::Fp16] {
            let ((bits_of_a, a), (bits_of_b, b)) = (precision.rounded(&a), precision.rounded(&b));
            data = output(data, precision, &reference(&a, &b));
            let names = precision.names();
            data = data.input(names.a, bits_of_a).input(names.b, bits_of_b);
        }
        let bytes = |all: &[f32]| -> (Vec<u8>, Vec<f32>) {
            all.par_iter().map(|&it| precision::byte(it)).unzip()
        };
        let ((bytes_of_a, a_of_bytes), (bytes_of_b, b_of_bytes)) = (bytes(&a), bytes(&b));
        let of_bytes = reference(&a_of_bytes, &b_of_bytes);
        for precision in [Precision::Fp8, Precision::Fp8InParts] {
            data = output(data, precision, &of_bytes);
        }
        let by_columns = transposed(&bytes_of_b, k as usize, n as usize);
        let names = Precision::Fp8.names();
        data = data
            .input(names.a, padded(&bytes_of_a, k as usize, PADDED_TO as usize))
            .input(names.b, padded(&by_columns, k as usize, PADDED_TO as usize));
        let of_floats = reference(&a, &b);
        data = output(data, Precision::Fp32, &of_floats);
        data = output(data, Precision::Tf32, &of_floats);
        plan::with_scratch(data.input("a", a).input("b", b), [m, n, k])
    }

    fn calls(step: &Step, extent: Extent, multiprocessors: u32) -> Vec<Call> {
        match step.is_library() {
            true => vec![libraries::call(step.host.precision, extent)],
            false => step.host.calls(extent, multiprocessors),
        }
    }

    /// A part of the chip computes a part of C: DRAM would be the limit if multiprocessors did not find each other's rows and
    /// columns in the L2 cache.
    fn sample(&self, step: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        let most = match step.host.precision {
            Precision::Fp32 => SAMPLED_FP32.min(TILES * u64::from(step.host.tile[0])),
            _ => SAMPLED,
        };
        let fits = (2.0 * (most as f64).powi(3) / self.work(n)).cbrt();
        let sampled = if fits < 1.0 { (n as f64 * fits).round() as u64 } else { n };
        let share = (sampled as f64 / n as f64).powi(2);
        let part = (f64::from(multiprocessors) * share).round().max(1.0);
        Sample::AllBlocks { n: sampled, multiprocessors: part as u32 }
    }

    fn place([_, n, k]: Extent, array: &str, i: usize) -> String {
        let (of_bytes, is_c) = (array.ends_with("FP8"), array.starts_with('c'));
        let columns = match array.as_bytes()[0] {
            _ if of_bytes && !is_c => k.next_multiple_of(PADDED_TO),
            b'a' => k,
            _ => n,
        };
        let (row, column) = (i as u64 / columns, i as u64 % columns);
        let by_columns = of_bytes && array.starts_with('b');
        let [row, column] = if by_columns { [column, row] } else { [row, column] };
        format!("row {row}, column {column}")
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        step.host.facts()
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks compute tiles, whose shape is fixed"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BLOCK, COALESCED, STAGES};
    use super::*;

    /// Of the large products a part of the chip runs with its part of the elements, and with all blocks of a smaller product.
    #[test]
    fn a_part_of_the_chip_runs_a_part_of_the_elements() {
        let gemm = Gemm::default();
        let sample = |step: &Step, n, all| match Arrays::sample(&gemm, step, n, all, false) {
            Sample::AllBlocks { n, multiprocessors } => (n, multiprocessors),
            other => panic!("{other:?}"),
        };
        assert_eq!(sample(&BLOCK, 4096, 132), (768, 5));
        assert_eq!(sample(&BLOCK, 1024, 28), (768, 16));
        assert_eq!(sample(&BLOCK, 512, 28), (512, 28));
        assert_eq!(sample(&COALESCED, 4096, 132), (384, 1));
        assert_eq!(sample(&STAGES, 4096, 132), (1536, 19));
    }

    #[test]
    fn long_sums_of_few_elements_are_possible_and_matrices_of_too_many_are_refused() {
        let opened = |size, options: &[(&str, &str)]| {
            let option = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let problem = options.iter().map(option).collect();
            Gemm::open(&Request { size, problem, ..Request::default() })
        };
        let long = opened(None, &[("m", "256"), ("n", "256"), ("k", "65536")]).expect("possible");
        assert_eq!(long.shape.at(65536), [256, 256, 65536]);
        assert!(opened(Some(32768), &[]).is_ok());
        let named = opened(None, &[("m", "65537"), ("k", "65536")]);
        for (refused, option) in [(opened(Some(65536), &[]), "--size 65536"), (named, "--m 65537")]
        {
            let error = refused.err().expect("too many elements").to_string();
            assert!(error.starts_with(&format!("{option}: a matrix of ")), "{error}");
        }
    }
}
