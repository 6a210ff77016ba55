//! Transposition as a problem: matrices, launches, and the figure of merit.

use device::Shape;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, edges, plant};
use ladder::{BlockError, Launch};
use report::Figure;

use chacha20::rand_core::Rng;

use super::matrix::{random_elements, transposed};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Rows and columns of the tile that a block moves in the first steps.
pub const TILE: u32 = 32;

/// Bytes of an element.
const BYTES: u64 = 4;

const SQUARE: &str = "a square";
const RECTANGLE: &str = "a rectangle";
const ONE_COLUMN: &str = "one column";
const ONE_ROW: &str = "one row";

/// The most columns of a rectangle.
const DRAWN_MOST: u32 = 200;

/// Transposition of a matrix.
#[derive(Default)]
pub struct Transpose;

/// What the blocks of a step move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Tiles of the matrix with so many rows and columns.
    Tiles(u32),
    /// Four elements a thread, of the matrix as it is to become: a copy, the yardstick.
    Copy,
}

impl Arrays for Transpose {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[
            // Tiles that are full, one row less or one more, or in between.
            1, 2, 31, 32, 33, 63, 65, 100, 255, 256, 257, 1000,
            // Ends in each four rows of a tile of 64.
            69, 73, 77, 81, 85, 89, 93, 97, 101, 105, 109, 113, 117, 121, 125,
        ],
        drawn: &[(1, 201), (1, 201), (1, 201), (1, 201)],
        planned_for_few: &[],
        repeated: None,
        measured: 8192,
        simulated: 1024,
        most: 1 << 15, // an `int` counts all elements
    };
    const KINDS: &'static [&'static str] = &[SQUARE, RECTANGLE, ONE_COLUMN, ONE_ROW];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "transposition".to_owned(),
            ..Figure::of_bytes("Transposition of a matrix")
        }
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        2.0 * BYTES as f64 * (n as f64).powi(2)
    }

    fn bytes(&self, n: u64) -> u64 {
        3 * BYTES * n * n
    }

    /// Columns and rows. Those of a rectangle are drawn: over runs they leave every remainder of a tile, and of a
    /// thread's elements, in both directions.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        match kind {
            RECTANGLE => [u64::from(1 + random.next_u32() % DRAWN_MOST), n, 1],
            ONE_COLUMN => [1, n, 1],
            ONE_ROW => [n, 1, 1],
            _ => [n, n, 1],
        }
    }

    fn data([columns, rows, _]: Extent, _: &str, random: &mut Random) -> Data {
        let mut matrix = random_elements((rows * columns) as usize, random);
        plant(&mut matrix, &edges::FLOATS, random);
        plant(&mut matrix, &edges::NOT_FINITE, random);
        let expected = transposed(&matrix, rows as usize, columns as usize);
        let data = Data::default().input("in", matrix).input("transposed", expected.clone());
        data.output("out", expected, Judge::Exactly)
    }

    /// A block for each tile.
    fn calls(step: &Step, [columns, rows, _]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let (read, shape) = match step.host {
            Plan::Tiles(tile) => {
                let tiles = |count: u64| u32::try_from(count).unwrap_or(u32::MAX).div_ceil(tile);
                ("in", Shape::new([tiles(columns), tiles(rows)], [tile, block / tile]))
            }
            Plan::Copy => {
                let threads = u32::try_from(rows * columns / 4 + 1).unwrap_or(u32::MAX);
                ("transposed", Shape::row(threads.div_ceil(block), block))
            }
        };
        let count = |count: u64| i32::try_from(count).unwrap_or(i32::MAX).into();
        let given = vec![count(rows), count(columns), read.into(), "out".into()];
        vec![Call::Launch(Launch { kernel: "transpose", shape }, given)]
    }

    fn place([columns, rows, _]: Extent, array: &str, i: usize) -> String {
        let [columns, rows] = if array == "in" { [columns, rows] } else { [rows, columns] };
        let i = i as u64;
        format!("row {}, column {} of {rows} × {columns}", i / columns, i % columns)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let moved = match step.host {
            Plan::Tiles(tile) => format!("a tile of {tile} × {tile} elements"),
            Plan::Copy => "four elements a thread of what the host has transposed".to_owned(),
        };
        vec![("a block moves", moved)]
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks move tiles, whose shape is fixed"))
    }
}
