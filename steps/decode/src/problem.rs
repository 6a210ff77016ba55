//! The product of a matrix and a vector as a problem: data, launches, and the figure of merit.

use std::ops::Range;

use chacha20::rand_core::Rng;
use device::Shape;
use half::bf16;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, chosen, drawn, fraction,
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

/// The most vectors, and how many there are where no option says it: `VECTORS` in the kernels.
const MOST_VECTORS: u64 = 8;

/// Rows of a matrix for the tensor cores.
const TILE: u64 = 16;

/// Multiplications of the reference for several vectors: a fraction of a second. Of a large matrix few results are compared.
const REFERENCE: u64 = 1 << 27;

/// The largest of the whole numbers of x.
const WHOLE: u32 = 8;

const SQUARE: &str = "a square";
const FLAT: &str = "few rows";
const TALL: &str = "short rows";
const EXACT: &str = "whole numbers";
const LONG: &str = "long rows";

/// How many of the latter there are, and columns at least: longer rows than any other kind has, for eight vectors.
const LONG_ROWS: u64 = 33;
const MORE: u64 = 16_384 + GROUP;

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

/// The same for several vectors, with weights that are BF16 or become so without a rounding. Tensor cores cut the last places
/// of their sums, which adds up in one direction: k/8 more, as in the ladder `gemm`.
fn deviation_of_batch(k: u64) -> f64 {
    deviation(Format::Bf16, k) + k as f64 / 8.0 * UNIT
}

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// How a step holds the weights, who computes a row, and how many vectors it multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Of the weights.
    pub format: Format,
    /// Who has which rows.
    pub rows: Rows,
    /// Whether all vectors are multiplied, which are of BF16; else a single one of floats.
    pub takes_batch: bool,
}

/// Who computes rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// A thread for each.
    OfThread,
    /// A warp for so many.
    OfWarp(u32),
    /// A block for so many tiles of them, by tensor cores.
    OfBlock(u32),
}

impl Plan {
    /// A thread for each row.
    pub const THREAD: Plan =
        Plan { format: Format::Bf16, rows: Rows::OfThread, takes_batch: false };

    /// Some rows for each warp.
    pub const fn warp(format: Format, rows: u32) -> Plan {
        Plan { format, rows: Rows::OfWarp(rows), takes_batch: false }
    }

    /// Some rows for each warp, and all vectors.
    pub const fn batch(rows: u32) -> Plan {
        Plan { takes_batch: true, ..Plan::warp(Format::Bf16, rows) }
    }

    /// All vectors, by tensor cores, with so many tiles of rows for a block.
    pub const fn tensor_cores(format: Format, tiles: u32) -> Plan {
        Plan { format, rows: Rows::OfBlock(tiles), takes_batch: true }
    }
}

/// y = W x, for a vector x or several.
pub struct Decode {
    shape: NamedSizes<2>,
    /// Vectors of the steps that take several.
    batch: u64,
}

impl Default for Decode {
    fn default() -> Decode {
        Decode { shape: NamedSizes::default(), batch: MOST_VECTORS }
    }
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
    const ALONE: (&'static str, Range<u64>, u32) = (LONG, LONG_ROWS..LONG_ROWS + 1, 1);
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("rows", "Rows of the matrix, elements of the result"),
        ProblemOption::size("columns", "Columns of the matrix: whole groups of 128"),
        ProblemOption {
            name: "batch",
            value: "N",
            help: "Vectors of the steps that multiply several, 1 to 8; the others have one [default: 8]",
        },
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
        let batch = match request.problem.get("batch") {
            None => MOST_VECTORS,
            Some(text) => {
                let batch = text.parse().ok().filter(|it| (1..=MOST_VECTORS).contains(it));
                batch.ok_or_else(|| OptionError::Value {
                    option: "batch",
                    value: text.clone(),
                    possible: format!("it is a number from 1 to {MOST_VECTORS}"),
                })?
            }
        };
        Ok(Decode { shape, batch })
    }

    fn implied_size(&self) -> Option<u64> {
        self.shape.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let [rows, columns] = self.at(n);
        let mut sizes = self.shape.named(NAMES, n);
        sizes.iter_mut().zip([rows, columns]).for_each(|(it, size)| it.size = size);
        sizes.push(NamedSize { name: "batch".to_owned(), size: self.batch });
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

    /// Weights, whatever the number of vectors.
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

    /// Columns, rows and vectors.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        let mut about = |size: u64| 1 + random.next_u64() % (size + size / 2);
        let [rows, columns] = match kind {
            FLAT => [about(20), about(30 * n)],
            TALL => [about(10 * n), about(200)],
            EXACT => [about(n), about(4 * n)],
            LONG => [n, MORE + about(1000)],
            _ => self.at(n),
        };
        // Verified sizes have each number of vectors in one of the kinds.
        let batch = match kind {
            FLAT => 1 + n % MOST_VECTORS,
            TALL => 1 + (n + 3) % MOST_VECTORS,
            EXACT => 1 + (n + 5) % MOST_VECTORS,
            _ => self.batch,
        };
        [columns.next_multiple_of(GROUP), rows, batch]
    }

    fn data([columns, rows, batch]: Extent, kind: &str, random: &mut Random) -> Data {
        let is_whole = kind == EXACT;
        let number = |word| match is_whole {
            true => (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32,
            false => 2.0 * fraction(word) - 1.0,
        };
        let x: Vec<f32> = drawn(columns, random, number);
        let vectors = drawn(batch * columns, random, |word| bf16::from_f32(number(word)));
        let floats: Vec<f32> = vectors.iter().map(|it| it.to_f32()).collect();
        let most = (REFERENCE / columns) as usize;
        let mut data = Data::default();
        for format in [Format::Bf16, Format::Bytes, Format::Nibbles] {
            let weights = format.random(rows * columns, is_whole, random);
            let judge = |deviation: f64, expected: &[f32]| {
                let squares = expected.iter().map(|&it| f64::from(it).powi(2));
                let rms = (squares.sum::<f64>() / expected.len() as f64).sqrt();
                // Of few sums all may happen to be small, and their errors are not.
                let small = (weights.typical(columns) / rms).max(1.0);
                if is_whole { Judge::Exactly } else { Judge::Deviating(deviation * small) }
            };
            let [w, scales, y, ys] = format.arrays();
            let one = weights.times(&x);
            let one_judge = judge(deviation(format, columns), &one);
            let places = chosen([rows, batch, 1], TILE, most, random);
            let some = weights.at(&places, &floats, [rows, columns].map(|it| it as usize));
            let some_judge = judge(deviation_of_batch(columns), &some);
            data = data.output(y, one, one_judge).sampled_output(
                ys,
                (rows * batch) as usize,
                (places, some),
                some_judge,
            );
            if format == Format::Bf16 {
                let sums = weights.sums_of_words(columns);
                data = data.output(Format::Words.arrays()[2], sums, Judge::Exactly);
            } else {
                data = data.input(scales, weights.scales);
            }
            data = data.input(w, weights.stored);
        }
        data.input("x", x).input("xs", vectors)
    }

    fn calls(step: &Step, [columns, rows, batch]: Extent, _: u32) -> Vec<Call> {
        let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
        let [rows, columns, batch] = [rows, columns, batch].map(number);
        let Plan { format, rows: has_rows, takes_batch } = step.host;
        let (of_a_block, threads) = match has_rows {
            Rows::OfThread => [step.threads.block().unwrap_or(1); 2].into(),
            Rows::OfWarp(of_a_warp) => (WARPS * of_a_warp, THREADS),
            Rows::OfBlock(tiles) => (tiles * TILE as u32, THREADS),
        };
        let shape = Shape::row(rows.div_ceil(of_a_block), threads);
        let [w, scales, y, ys] = format.arrays();
        let mut given: Vec<KernelArgument> = vec![rows.into(), columns.into()];
        given.extend(takes_batch.then(|| KernelArgument::from(batch)));
        let (x, y) = if takes_batch { ("xs", ys) } else { ("x", y) };
        let arrays = match format {
            Format::Bf16 => vec![w, x, y],
            Format::Words => vec![w, y],
            Format::Bytes | Format::Nibbles => vec![w, scales, x, y],
        };
        given.extend(arrays.into_iter().map(KernelArgument::Array));
        vec![Call::Launch(Launch { kernel: "decode", shape }, given)]
    }

    fn place([_, rows, _]: Extent, array: &str, i: usize) -> String {
        let (vector, row) = (i as u64 / rows, i as u64 % rows);
        if array.starts_with("ys") {
            format!("vector {vector}, row {row}")
        } else {
            format!("row {row}")
        }
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let rows = match step.host.rows {
            Rows::OfThread => "a thread for each".to_owned(),
            Rows::OfWarp(1) => "a warp for each".to_owned(),
            Rows::OfWarp(rows) => format!("a warp for {rows}"),
            Rows::OfBlock(tiles) => format!("a block for {}", u64::from(tiles) * TILE),
        };
        let vectors = if step.host.takes_batch { "all, BF16" } else { "one, floats" };
        vec![
            ("weights", step.host.format.words().to_owned()),
            ("rows", rows),
            ("vectors", vectors.to_owned()),
        ]
    }

    /// # Errors
    /// Always, but of a thread for each row: warps of a block have their rows.
    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        match step.host.rows {
            Rows::OfThread => {
                Ok(Step { threads: ladder::Threads::Blocks { block, stated: false }, ..*step })
            }
            _ => Err(BlockError::Fixed("its warps have rows, and eight of them are a block")),
        }
    }
}
