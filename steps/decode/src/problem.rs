//! The product of a matrix and a vector as a problem: data, launches, and the figure of merit.

use chacha20::rand_core::Rng;
use device::Shape;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, fraction,
};
use ladder::problem::{OptionError, ProblemOption, Shape as NamedSizes};
use ladder::{BlockError, Launch};
use report::{Figure, NamedSize, Request};

use super::weights::{Format, GROUP};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes.
const NAMES: [&str; 2] = ["rows", "columns"];

/// Threads of a block in which warps take rows, and warps: `WARPS` in `kernels/decode/warp.cuh`.
const THREADS: u32 = 256;
const WARPS: u32 = THREADS / 32;

/// The most rows or columns.
const LONGEST: u64 = 1 << 20;

/// The largest of the whole numbers of x.
const WHOLE: u32 = 8;

const SQUARE: &str = "a square";
const FLAT: &str = "few rows";
const TALL: &str = "short rows";
const EXACT: &str = "whole numbers";

/// The standard deviation of the error of a sum of `k` products, relative to that of the sum, for elements of either sign and
/// sums in any order: that of FP32 in the ladder `gemm`, √k/2 + 2 roundings, and what the format adds.
///
/// With 4 bits a kernel adds up products with 1 + n/128 for numbers n from 0 to 15, and subtracts what is too much. Its
/// partial sums are 28 times as large as those with n − 8, whose root mean square is 4.6, and so are their roundings: for
/// each eight terms that are added before the subtraction, 28 √8/2 of them.
fn deviation(format: Format, k: u64) -> f64 {
    let k = k as f64;
    let more = if format == Format::Nibbles { 40.0 } else { 0.0 };
    (k.sqrt() / 2.0 + 2.0 + more) * UNIT * (1.0 + 2.0 / k.sqrt())
}

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// How a step holds the weights, and who computes a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Of the weights.
    pub format: Format,
    /// Rows of a warp; none if each thread has a row.
    pub rows: Option<u32>,
}

impl Plan {
    /// A thread for each row.
    pub const THREAD: Plan = Plan { format: Format::Bf16, rows: None };

    /// Some rows for each warp.
    pub const fn warp(format: Format, rows: u32) -> Plan {
        Plan { format, rows: Some(rows) }
    }
}

/// y = W x.
#[derive(Default)]
pub struct Decode {
    shape: NamedSizes<2>,
}

impl Decode {
    /// Rows and columns; the latter are whole groups of weights.
    fn at(&self, n: u64) -> [u64; 2] {
        let [rows, columns] = self.shape.at(n);
        [rows, columns.next_multiple_of(GROUP)]
    }
}

impl Arrays for Decode {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 31, 32, 33, 128, 129],
        drawn: &[(130, 300)],
        planned_for_few: &[],
        repeated: Some(200),
        measured: 16_384,
        simulated: 512,
        most: 1 << 15,
    };
    const KINDS: &'static [&'static str] = &[SQUARE, FLAT, TALL, EXACT];
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("rows", "Rows of the matrix, elements of the result"),
        ProblemOption::size("columns", "Columns of the matrix: whole groups of 128"),
    ];
    const BLOCKS_ALONE: bool = true;

    fn open(request: &Request) -> Result<Decode, OptionError> {
        let shape = NamedSizes::open(request, NAMES, Self::SIZES.measured, LONGEST)?;
        let [rows, columns] = shape.at(shape.implied_size().unwrap_or(1));
        if i32::try_from(rows * columns).is_err() {
            return Err(OptionError::Value {
                option: "columns",
                value: columns.to_string(),
                possible: format!("with --rows {rows} there may be {} weights", i32::MAX),
            });
        }
        Ok(Decode { shape })
    }

    fn implied_size(&self) -> Option<u64> {
        self.shape.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let [rows, columns] = self.at(n);
        let mut sizes = self.shape.named(NAMES, n);
        sizes.iter_mut().zip([rows, columns]).for_each(|(it, size)| it.size = size);
        sizes
    }

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "product".to_owned(),
            unit: "10⁹ weights/s".to_owned(),
            ..Figure::of("Product of a matrix and a vector", "weights")
        }
    }

    /// Weights.
    fn work(&self, n: u64) -> f64 {
        let [rows, columns] = self.at(n).map(|it| it as f64);
        rows * columns
    }

    /// Weights of 4 bits.
    fn moved(&self, n: u64) -> f64 {
        self.work(n) / 2.0
    }

    /// Those of all formats.
    fn bytes(&self, n: u64) -> u64 {
        let [rows, columns] = self.at(n);
        4 * rows * columns
    }

    /// Columns and rows.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        let mut about = |size: u64| 1 + random.next_u64() % (size + size / 2);
        let [rows, columns] = match kind {
            FLAT => [about(10), about(30 * n)],
            TALL => [about(10 * n), about(200)],
            EXACT => [about(n), about(4 * n)],
            _ => self.at(n),
        };
        [columns.next_multiple_of(GROUP), rows, 1]
    }

    fn data([columns, rows, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let is_whole = kind == EXACT;
        let x: Vec<f32> = drawn(columns, random, |word| match is_whole {
            true => (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32,
            false => 2.0 * fraction(word) - 1.0,
        });
        let mut data = Data::default();
        for format in [Format::Bf16, Format::Bytes, Format::Nibbles] {
            let weights = format.random(rows * columns, is_whole, random);
            let expected = weights.times(&x);
            let rms = (expected.iter().map(|it| it * it).sum::<f64>() / rows as f64).sqrt();
            // Of few sums all may happen to be small, and their errors are not.
            let small = (weights.typical(columns) / rms).max(1.0);
            let judge = match is_whole {
                true => Judge::Exactly,
                false => Judge::Deviating(deviation(format, columns) * small),
            };
            let [w, scales, y] = format.arrays();
            data = data.output(y, expected.iter().map(|&it| it as f32).collect::<Vec<_>>(), judge);
            if format == Format::Bf16 {
                let sums = weights.sums_of_words(columns);
                data = data.output(Format::Words.arrays()[2], sums, Judge::Exactly);
            } else {
                data = data.input(scales, weights.scales);
            }
            data = data.input(w, weights.stored);
        }
        data.input("x", x)
    }

    fn calls(step: &Step, [columns, rows, _]: Extent, _: u32) -> Vec<Call> {
        let [rows, columns] = [rows, columns].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let Plan { format, rows: of_a_warp } = step.host;
        let shape = match of_a_warp {
            None => {
                let threads = step.threads.block().unwrap_or(1);
                Shape::row(rows.div_ceil(threads), threads)
            }
            Some(of_a_warp) => Shape::row(rows.div_ceil(WARPS * of_a_warp), THREADS),
        };
        let [w, scales, y] = format.arrays();
        let arrays = match format {
            Format::Bf16 => vec![w, "x", y],
            Format::Words => vec![w, y],
            Format::Bytes | Format::Nibbles => vec![w, scales, "x", y],
        };
        let mut given: Vec<KernelArgument> = vec![rows.into(), columns.into()];
        given.extend(arrays.into_iter().map(KernelArgument::Array));
        vec![Call::Launch(Launch { kernel: "decode", shape }, given)]
    }

    fn place(_: Extent, _: &str, i: usize) -> String {
        format!("row {i}")
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let rows = match step.host.rows {
            None => "a thread for each".to_owned(),
            Some(1) => "a warp for each".to_owned(),
            Some(rows) => format!("a warp for {rows}"),
        };
        vec![("weights", step.host.format.words().to_owned()), ("rows", rows)]
    }

    /// # Errors
    /// Always, but of a thread for each row: warps of a block have their rows.
    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        match step.host.rows {
            None => Ok(Step { threads: ladder::Threads::Blocks { block, stated: false }, ..*step }),
            Some(_) => Err(BlockError::Fixed("its warps have rows, and eight of them are a block")),
        }
    }
}
