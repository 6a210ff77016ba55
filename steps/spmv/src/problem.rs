//! The product of a sparse matrix and a vector as a problem: data, launches, and the figure of merit.

use std::ops::Range;

use ladder::arrays::{Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes};
use ladder::judge::Tolerance;
use ladder::problem::{OptionError, ProblemOption, Sample};
use ladder::{BlockError, Launch};
use report::{Figure, Request};

use super::formats::Slices;
use super::matrix::{Lengths, Matrix, elements, numbers};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Bytes of an element or of its column.
const BYTES: u64 = 4;

/// Elements and ends of rows of a block: `TILE` in the kernel.
const TILE: u32 = 7 * 256;

/// Threads of a multiprocessor that add up the ends of long rows, or read the matrix.
const RESIDENT: u32 = 2048;

/// Rows of a matrix of which one block adds up the end of the dense row: a warp has several pieces of it, and it has more elements
/// than 16 bits count.
const ONE_BLOCK: u64 = 66_000;

/// Multiprocessors of the part of a chip that the simulator runs.
const SAMPLED: u32 = 4;

const VARIED: &str = "rows of varied lengths";
const EQUAL: &str = "equal rows";
const POWER_LAW: &str = "a few very long rows";
const EMPTY: &str = "empty rows";
const ONE_DENSE: &str = "one dense row";
const WHOLE: &str = "whole numbers";

/// What `--matrix` calls the kinds, and their names.
const NAMES: [(&str, &str); 5] = [
    ("power-law", POWER_LAW),
    ("varied", VARIED),
    ("equal", EQUAL),
    ("empty", EMPTY),
    ("one-dense", ONE_DENSE),
];

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// How far off the sums of `rows` rows with at most `longest` positive products may be, each relative to itself.
///
/// A sum in any order is rounded once for each product. The roundings are at most [`UNIT`] of what has been summed up so far, and
/// of either sign. Those of k products have a standard deviation of √k/2 of such units, and a few more of the result itself. The
/// root mean square of all errors may be that of one long row.
fn rounded(longest: usize, rows: usize) -> Tolerance {
    let deviation = ((longest as f64).sqrt() / 2.0 + 2.0) * UNIT;
    let [one, all] = [1.0, rows as f64].map(|count| Tolerance::of_deviation(deviation, count));
    Tolerance { rms: one.rms, worst: all.worst }
}

/// Who computes what of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// So many lanes have a row.
    Rows {
        /// Of a warp.
        lanes: u32,
    },
    /// A thread has so many elements and ends of rows.
    Shares {
        /// `ITEMS` in the kernels.
        items: u32,
    },
    /// The same of a block, which a kernel finds before.
    Tiles,
    /// A thread has a row, and rows are filled up to one width.
    Columns,
    /// A thread has a row, and rows are filled up to the width of their slice.
    Slices {
        /// Rows of similar length share a slice.
        sorted: bool,
    },
    /// Only reads the matrix.
    Reading,
}

/// y = A x.
pub struct Spmv {
    timed: &'static str,
}

impl Default for Spmv {
    fn default() -> Spmv {
        Spmv { timed: POWER_LAW }
    }
}

impl Arrays for Spmv {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 15, 31, 32, 33, 127, 129, 255, 257, 1000],
        drawn: &[(3, 300), (300, 1500)],
        planned_for_few: &[2000],
        repeated: Some(1000),
        measured: 1 << 21,
        simulated: 1 << 12,
        most: 1 << 24, // an `int` counts rows and elements together, with room for what is filled up
    };
    const KINDS: &'static [&'static str] = &[POWER_LAW, VARIED, EQUAL, EMPTY, ONE_DENSE, WHOLE];
    const ALONE: (&'static str, Range<u64>, u32) = (ONE_DENSE, ONE_BLOCK..ONE_BLOCK + 1, 0);
    const OPTIONS: &'static [ProblemOption] = &[ProblemOption {
        name: "matrix",
        value: "KIND",
        help: "Rows that are timed: `power-law`, `varied`, `equal`, `empty` or `one-dense` [default: power-law]",
    }];

    fn figure() -> Figure {
        Figure {
            size: "rows".to_owned(),
            pass: "product".to_owned(),
            results: "rows".to_owned(),
            ..Figure::of("Product of a sparse matrix and a vector", "elements")
        }
    }

    /// Elements that are not zero.
    fn work(&self, n: u64) -> f64 {
        elements(n) as f64
    }

    /// Each element with its column, and both vectors.
    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * (elements(n) + n)) as f64
    }

    /// Those of a step. A format with zeros has at most a few times the elements.
    fn bytes(&self, n: u64) -> u64 {
        2 * BYTES * (3 * elements(n) + 2 * n)
    }

    fn data([rows, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let is_whole = kind == WHOLE;
        let lengths = match kind {
            EQUAL => Lengths::Equal,
            POWER_LAW | WHOLE => Lengths::PowerLaw,
            EMPTY => Lengths::Empty,
            ONE_DENSE => Lengths::OneDense,
            _ => Lengths::Varied,
        };
        let matrix = Matrix::random(lengths, rows, is_whole, random);
        let x = numbers(rows, is_whole, random);
        let y = matrix.times(&x);
        let judge = match is_whole {
            true => Judge::Exactly,
            false => Judge::Each(rounded(matrix.longest(), matrix.rows())),
        };
        let list = rows + elements(rows);
        let bits = matrix.values.iter().map(|it| it.to_bits());
        let words = bits.chain(matrix.columns.iter().copied()).fold(0, u32::wrapping_add);
        let (columns, width) = Slices::of_one_width(&matrix);
        let [slices, sorted] = [false, true].map(|it| Slices::of_own_widths(&matrix, it));
        Data::default()
            .input("x", x)
            .output("y", y, judge)
            .output("sum of words", vec![words], Judge::Exactly)
            .scratch("first rows", (BYTES * (list / u64::from(TILE) + 2)) as usize)
            .scalar("width", width)
            .scalar("pieces of columns", pieces(&columns))
            .input("ends of columns", columns.pieces)
            .input("columns of columns", columns.columns)
            .input("values of columns", columns.values)
            .scalar("pieces of slices", pieces(&slices))
            .input("starts of slices", slices.starts)
            .input("ends of slices", slices.pieces)
            .input("columns of slices", slices.columns)
            .input("values of slices", slices.values)
            .scalar("pieces of sorted", pieces(&sorted))
            .input("starts of sorted", sorted.starts)
            .input("order of sorted", sorted.order)
            .input("ends of sorted", sorted.pieces)
            .input("columns of sorted", sorted.columns)
            .input("values of sorted", sorted.values)
            .input("starts", matrix.starts)
            .input("columns", matrix.columns)
            .input("values", matrix.values)
    }

    fn calls(step: &Step, [rows, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let of_all = elements(rows) as u32;
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let spmv = |threads: u32, given: &[KernelArgument]| {
            Call::Launch(Launch::row("spmv", threads.div_ceil(block), block), given.to_vec())
        };
        // Ends of long rows, by as many threads as run at once.
        let ends = |pieces: &'static str, ends: &'static str| {
            let blocks = (RESIDENT / block * multiprocessors).clamp(1, rows.div_ceil(block));
            let given = [KernelArgument::Scalar(pieces), ends.into()];
            let of_csr = ["columns", "values", "x", "y"].map(KernelArgument::Array);
            Call::Launch(Launch::row("ends", blocks, block), [&given[..], &of_csr].concat())
        };
        let csr = ["starts", "columns", "values", "x", "y"].map(KernelArgument::Array);
        match step.host {
            Plan::Rows { lanes } => {
                vec![spmv(rows * lanes, &[&[rows.into()][..], &csr].concat())]
            }
            Plan::Shares { items } => {
                let given = [&[rows.into(), of_all.into()][..], &csr].concat();
                vec![Call::Fill("y", 0), spmv((rows + of_all).div_ceil(items), &given)]
            }
            Plan::Tiles => {
                let blocks = (rows + of_all).div_ceil(TILE);
                let divide = Launch::row("divide", (blocks + 1).div_ceil(block), block);
                let list = [rows.into(), of_all.into()];
                let divided =
                    [&[blocks.into()][..], &list, &["starts".into(), "first rows".into()]];
                let given = [&list[..], &["first rows".into()], &csr];
                vec![
                    Call::Fill("y", 0),
                    Call::Launch(divide, divided.concat()),
                    Call::Launch(Launch::row("spmv", blocks, block), given.concat()),
                ]
            }
            Plan::Reading => {
                let threads = (RESIDENT * multiprocessors).clamp(1, of_all);
                let given =
                    [of_all.into(), "columns".into(), "values".into(), "sum of words".into()];
                vec![Call::Fill("sum of words", 0), spmv(threads, &given)]
            }
            Plan::Columns => {
                let arrays = ["columns of columns", "values of columns", "x", "y"];
                let given = [rows.into(), KernelArgument::Scalar("width")];
                let given = [&given[..], &arrays.map(KernelArgument::Array)].concat();
                vec![spmv(rows, &given), ends("pieces of columns", "ends of columns")]
            }
            Plan::Slices { sorted: false } => {
                let arrays =
                    ["starts of slices", "columns of slices", "values of slices", "x", "y"];
                let given = [&[rows.into()][..], &arrays.map(KernelArgument::Array)].concat();
                vec![spmv(rows, &given), ends("pieces of slices", "ends of slices")]
            }
            Plan::Slices { sorted: true } => {
                let arrays = [
                    "order of sorted",
                    "starts of sorted",
                    "columns of sorted",
                    "values of sorted",
                    "x",
                    "y",
                ];
                let given = [&[rows.into()][..], &arrays.map(KernelArgument::Array)].concat();
                vec![spmv(rows, &given), ends("pieces of sorted", "ends of sorted")]
            }
        }
    }

    /// All blocks of a part of the chip: the longest rows are the first ones of a window where rows are sorted.
    fn sample(&self, _: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        Sample::part(n, multiprocessors, SAMPLED)
    }

    fn open(request: &Request) -> Result<Spmv, OptionError> {
        let Some(asked) = request.problem.get("matrix") else { return Ok(Spmv::default()) };
        match NAMES.iter().find(|(name, _)| name == asked) {
            Some((_, timed)) => Ok(Spmv { timed }),
            None => Err(OptionError::Value {
                option: "matrix",
                value: asked.clone(),
                possible: format!(
                    "there are {}",
                    NAMES.map(|(name, _)| format!("`{name}`")).join(", ")
                ),
            }),
        }
    }

    fn timed(&self) -> &'static str {
        self.timed
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "y" { "row" } else { "element" })
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let format = match step.host {
            Plan::Rows { .. } | Plan::Shares { .. } | Plan::Tiles | Plan::Reading => {
                "by rows (CSR)"
            }
            Plan::Columns => "rows of one width (ELL), ends of longer ones in CSR",
            Plan::Slices { sorted: false } => "slices of 32 rows, ends of very long ones in CSR",
            Plan::Slices { sorted: true } => {
                "slices of 32 rows of similar length, ends of very long ones in CSR"
            }
        };
        vec![("the matrix", format.to_owned())]
    }

    /// # Errors
    /// Lanes that share a row make whole warps, and a tile of products has room for one block's.
    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        match step.host {
            Plan::Rows { lanes: 1 } => ladder::arrays::whole_warps(step, block),
            _ => Err(BlockError::Fixed(
                "its warps have rows or shares, and eight of them are a block",
            )),
        }
    }
}

/// Pieces of the ends of long rows.
fn pieces(slices: &Slices) -> u32 {
    slices.pieces.len() as u32 / 3
}
